#include "repaired_chains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "answer.hpp"
#include "order_placement.hpp"
#include "tempo/toolkit/conjugate_normal.hpp"
#include "tempo/toolkit/most_likely_stage.hpp"
#include "tempo/toolkit/order_search.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "tempo/toolkit/simplex.hpp"

namespace tempo::bebms {
namespace {

using Orders = std::vector<std::vector<std::size_t>>;
using toolkit::Moments;

/// What a sweep leaves behind.
struct Draw {
  Orders orders;                            // [K]
  std::vector<double> log_shares;           // [K]
  std::vector<std::vector<double>> log_pi;  // [K][B + 1]
  std::vector<Normal> phi, theta;           // [B]
  double log_likelihood = 0.0;
};

class RepairedChain {
 public:
  RepairedChain(const Study& study, const RepairedSettings& settings, RandomStream stream)
      : study_(&study),
        settings_(&settings),
        stream_(std::move(stream)),
        likelihood_(members(study, settings.variant)),
        placement_(study.biomarkers(), likelihood_.padded()),
        components_(study, likelihood_.participants()),
        terms_(settings.subtypes) {
    const std::size_t K = settings.subtypes, B = study.biomarkers();
    for (std::size_t s = 0; s < K; ++s) {
      orders_.push_back(stream_.permutation(B));
      log_pi_.push_back(draw_log_pi(settings.variant, std::vector<double>(B + 1, 0.0), stream_));
    }
    log_shares_.assign(K, -toolkit::portable_log(static_cast<double>(K)));
    evaluate_components();
  }

  /// @param temperature  of the moves of orders
  /// @param held         the normals stay as they are
  void sweep(double temperature = 1.0, bool held = false) {
    for (std::size_t s = 0; s < orders_.size(); ++s) place_events(s, temperature);
    draw_the_rest(held);
  }

  double log_likelihood() const { return log_likelihood_; }
  Draw draw() const {
    return {orders_, log_shares_, log_pi_, components_.phi, components_.theta, log_likelihood_};
  }

 private:
  /// Draws the place of every event of one subtype, one event after the other.
  void place_events(std::size_t s, double temperature) {
    placement_.set_others(terms_, log_shares_, s);
    auto& order = orders_[s];
    for (const auto event : stream_.permutation(order.size())) {
      std::erase(order, event);
      const auto values = placement_.log_likelihoods(components_.log_ratios, order, event,
                                                     log_pi_[s], log_shares_[s]);
      const double top = *std::max_element(values.begin(), values.end());
      std::vector<double> chances;
      double sum = 0.0;
      for (const double value : values)
        sum += chances.emplace_back(toolkit::portable_exp((value - top) / temperature));
      for (double& chance : chances) chance /= sum;
      const auto place = stream_.categorical(chances);
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), event);
    }
    likelihood_.weigh_totals(components_.log_ratios, order, log_pi_[s], terms_[s]);
  }

  /// Subtypes and stages given orders and normals, then normals and shares given these.
  void draw_the_rest(bool held) {
    for (std::size_t s = 0; s < orders_.size(); ++s)
      likelihood_.weigh(components_.log_ratios, orders_[s], log_pi_[s], terms_[s]);
    log_likelihood_ =
        components_.base + likelihood_.assign(terms_, log_shares_, orders_, stream_, assigned_);
    std::vector<double> participants;
    for (std::size_t s = 0; s < orders_.size(); ++s) {
      const auto& counts = assigned_.counts[s];
      log_pi_[s] = draw_log_pi(settings_->variant, counts.stages, stream_);
      participants.push_back(counts.participants);
    }
    log_shares_ = toolkit::draw_log_shares(participants, stream_);
    if (!held) {
      for (std::size_t b = 0; b < study_->biomarkers(); ++b) {
        const auto& prior = study_->clusters[b];
        const Moments after{assigned_.moments.weight[b], assigned_.moments.x[b],
                            assigned_.moments.xx[b]};
        const double least_sd = study_->least_sd[b];
        components_.theta[b] =
            toolkit::ConjugatePosterior(prior.theta, after).draw(least_sd, stream_);
        components_.phi[b] = toolkit::ConjugatePosterior(prior.phi, study_->moments[b] - after)
                                 .draw(least_sd, stream_);
      }
    }
    evaluate_components();
  }

  void evaluate_components() {
    components_.evaluate(*study_, likelihood_);
    for (std::size_t s = 0; s < orders_.size(); ++s)
      likelihood_.weigh_totals(components_.log_ratios, orders_[s], log_pi_[s], terms_[s]);
  }

  const Study* study_;
  const RepairedSettings* settings_;
  RandomStream stream_;
  MixtureLikelihood likelihood_;
  OrderPlacement placement_;
  Components components_;
  std::vector<SubtypeTerms> terms_;
  Orders orders_;
  std::vector<std::vector<double>> log_pi_;
  std::vector<double> log_shares_;
  Assignment assigned_;
  double log_likelihood_ = 0.0;
};

/// The best of several annealed attempts: the posterior has many modes, and a chain that has
/// settled in one does not leave it.
struct Started {
  std::optional<RepairedChain> best;
  std::vector<double> log_likelihoods;  ///< means of the last quarters
};

Started started(const Study& study, const RepairedSettings& settings, const RandomStream& stream) {
  Started out;
  const auto length = settings.attempt_length;
  for (std::int64_t attempt = 0; attempt < settings.attempts; ++attempt) {
    RepairedChain chain(study, settings,
                        stream.substream("attempt", static_cast<std::uint64_t>(attempt)));
    double sum = 0.0;
    std::int64_t counted = 0;
    for (std::int64_t i = 0; i < length; ++i) {
      const double temperature = toolkit::annealing_temperature(
          i, length / 2, members(study, settings.variant).participants());
      // Every other attempt finds its orders before it moves the normals from the clusters' own.
      chain.sweep(temperature, attempt % 2 == 0 && i < length / 2);
      if (4 * i < 3 * length) continue;
      sum += chain.log_likelihood();
      ++counted;
    }
    const double mean = sum / static_cast<double>(counted);
    const auto& means = out.log_likelihoods;
    if (means.empty() || mean > *std::max_element(means.begin(), means.end()))
      out.best.emplace(std::move(chain));
    out.log_likelihoods.push_back(mean);
  }
  return out;
}

/// How far apart two orders are, in pairs.
double discordant_pairs(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  std::vector<std::size_t> place(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) place[b[i]] = i;
  double pairs = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t later = i + 1; later < a.size(); ++later)
      if (place[a[i]] > place[a[later]]) pairs += 1.0;
  return pairs;
}

/// Which subtype of the draw each of the reference's is: the nearest pairs first. A chain may
/// exchange the numbers of subtypes as it goes.
std::vector<std::size_t> relabelling(const Orders& reference, const Orders& draw) {
  const std::size_t K = reference.size();
  Matrix distance(K, K);
  for (std::size_t s = 0; s < K; ++s)
    for (std::size_t t = 0; t < K; ++t) distance(s, t) = discordant_pairs(reference[s], draw[t]);
  std::vector<std::size_t> out(K, K);
  std::vector<bool> is_taken(K, false);
  for (std::size_t round = 0; round < K; ++round) {
    std::size_t best_s = K, best_t = K;
    for (std::size_t s = 0; s < K; ++s)
      for (std::size_t t = 0; t < K; ++t)
        if (out[s] == K && !is_taken[t] &&
            (best_s == K || distance(s, t) < distance(best_s, best_t)))
          best_s = s, best_t = t;
    out[best_s] = best_t;
    is_taken[best_t] = true;
  }
  return out;
}

/// What is averaged over draws.
class MeanAnswer {
 public:
  MeanAnswer(const Study& study, const RepairedSettings& settings, Orders reference)
      : study_(study),
        settings_(settings),
        reference_(std::move(reference)),
        everyone_(study.everyone),
        components_(study, study.everyone.participants()),
        ranks_(settings.subtypes, study.biomarkers()),
        shares_(settings.subtypes, 0.0),
        posterior_(settings.subtypes,
                   Matrix(study.everyone.participants(), study.biomarkers() + 1)) {}

  void add(const Draw& draw) {
    const auto label = relabelling(reference_, draw.orders);
    const auto ranks = ranks_of_orders(draw.orders);
    const std::size_t K = label.size(), J = study_.everyone.participants();
    components_.phi = draw.phi;
    components_.theta = draw.theta;
    components_.evaluate(study_, everyone_);
    auto weights = stage_likelihoods(components_.log_ratios, draw.orders);
    for (std::size_t s = 0; s < K; ++s) {
      const auto prior = prior_of_stages(draw, s);
      for (std::size_t j = 0; j < J; ++j)
        for (std::size_t k = 0; k < prior.size(); ++k) weights[s](j, k) *= prior[k];
    }
    for (std::size_t j = 0; j < J; ++j) {
      double sum = 0.0;
      for (const auto& of_subtype : weights)
        for (const double weight : of_subtype.row(j)) sum += weight;
      for (std::size_t s = 0; s < K; ++s)
        for (std::size_t k = 0; k < weights[s].cols(); ++k)
          posterior_[s](j, k) += weights[label[s]](j, k) / sum;
    }
    for (std::size_t s = 0; s < K; ++s) {
      shares_[s] += toolkit::portable_exp(draw.log_shares[label[s]]);
      for (std::size_t b = 0; b < study_.biomarkers(); ++b) ranks_(s, b) += ranks(label[s], b);
    }
    draws_ += 1.0;
  }

  Inference answer() {
    for (double& rank : ranks_.values()) rank /= draws_;
    const double sum = std::accumulate(shares_.begin(), shares_.end(), 0.0);
    for (double& share : shares_) share /= sum;
    return answer_of(study_, ranks_, shares_, posterior_);
  }

 private:
  /// Of everyone: the healthy, too, are where they are for all that their values say.
  std::vector<double> prior_of_stages(const Draw& draw, std::size_t s) const {
    std::vector<double> out;
    for (const double log_pi : draw.log_pi[s])
      out.push_back(std::isinf(log_pi) ? 0.0 : toolkit::portable_exp(log_pi));
    if (settings_.variant == Variant::labels) {
      const auto J = static_cast<double>(study_.everyone.participants());
      const double diseased =
          (static_cast<double>(study_.diseased.participants()) + 1.0) / (J + 2.0);
      for (double& share : out) share *= diseased;
      out[0] = 1.0 - diseased;
    }
    for (double& share : out) share *= toolkit::portable_exp(draw.log_shares[s]);
    return out;
  }

  const Study& study_;
  const RepairedSettings& settings_;
  Orders reference_;
  MixtureLikelihood everyone_;
  Components components_;
  Matrix ranks_;
  std::vector<double> shares_;
  std::vector<Matrix> posterior_;
  double draws_ = 0.0;
};

}  // namespace

Inference repaired_chains(const Study& study, const RepairedSettings& settings,
                          const RandomStream& stream) {
  auto [chain, attempts] = started(study, settings, stream);
  std::vector<Draw> draws;
  for (std::int64_t i = 0; i < settings.iterations; ++i) {
    chain->sweep();
    draws.push_back(chain->draw());
  }
  const auto first = draws.begin() + static_cast<std::ptrdiff_t>(draws.size() / 2);
  const auto best = std::max_element(first, draws.end(), [](const Draw& a, const Draw& b) {
    return a.log_likelihood < b.log_likelihood;
  });
  MeanAnswer mean(study, settings, best->orders);
  constexpr std::ptrdiff_t kMostDraws = 100;  // more change nothing
  const auto step = (draws.end() - first + kMostDraws - 1) / kMostDraws;
  for (auto at = first; at < draws.end(); at += std::min(step, draws.end() - at)) mean.add(*at);
  auto out = mean.answer();
  for (std::size_t j = 0; j < out.stages.size(); ++j)
    out.stages[j] = toolkit::median_stage(std::as_const(*out.stage_posterior).row(j));
  double in_units = best->log_likelihood;  // of the cohort
  for (std::size_t b = 0; b < study.biomarkers(); ++b)
    in_units -= study.moments[b].n * toolkit::portable_log(study.scale[b]);
  std::sort(attempts.begin(), attempts.end(), std::greater<>());
  out.diagnostics = {{"attempts", static_cast<double>(attempts.size())},
                     {"iterations", static_cast<double>(draws.size())},
                     {"log_likelihood", in_units}};
  if (attempts.size() > 1) out.diagnostics["second_attempt_behind"] = attempts[0] - attempts[1];
  return out;
}

}  // namespace tempo::bebms
