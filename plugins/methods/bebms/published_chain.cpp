#include "published_chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tempo/toolkit/conjugate_normal.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "tempo/toolkit/simplex.hpp"
#include "tempo/toolkit/subtype_answer.hpp"

namespace tempo::bebms {
namespace {

using toolkit::MixtureMoments;
using toolkit::OrderSet;
using toolkit::SubtypeTerms;

constexpr int kStagingRounds = 200;

/// What a chain is at, but for its caches.
struct State {
  OrderSet orders;                          // [K]
  std::vector<std::vector<double>> log_pi;  // [K][B + 1]
  std::vector<double> log_shares;           // [K]
  Components components;
};

class PublishedChain {
 public:
  PublishedChain(const Study& study, Variant variant, std::size_t subtypes, RandomStream& stream)
      : study_(study),
        variant_(variant),
        stream_(stream),
        likelihood_(members(study, variant)),
        now_{{}, {}, {}, Components(study, likelihood_.participants())},
        best_(now_),
        next_(now_.components),
        terms_(subtypes),
        kept_terms_(subtypes),
        next_terms_(subtypes) {
    const std::size_t B = study.biomarkers();
    for (std::size_t s = 0; s < subtypes; ++s) {
      now_.orders.push_back(stream.permutation(B));
      now_.log_pi.push_back(draw_log_pi(variant, std::vector<double>(B + 1, 0.0), stream));
    }
    now_.log_shares = toolkit::draw_log_shares(std::vector<double>(subtypes, 0.0), stream);
    now_.components.evaluate(study, likelihood_);
    for (std::size_t s = 0; s < subtypes; ++s)
      likelihood_.weigh(now_.components.log_ratios, now_.orders[s], now_.log_pi[s], terms_[s]);
    best_ = now_;
  }

  void step() {
    auto proposed = now_.orders;
    const auto subtypes = chosen();
    for (const auto s : subtypes) {
      exchange_two(proposed[s]);
      std::swap(terms_[s], kept_terms_[s]);
      likelihood_.weigh(now_.components.log_ratios, proposed[s], now_.log_pi[s], terms_[s]);
    }
    propose_components();
    for (std::size_t s = 0; s < proposed.size(); ++s)
      likelihood_.weigh_totals(next_.log_ratios, proposed[s], now_.log_pi[s], next_terms_[s]);
    const double proposed_value =
        next_.base + likelihood_.log_likelihood(next_terms_, now_.log_shares);
    const double u = stream_.uniform();
    if (!(proposed_value > log_likelihood_ ||
          u < toolkit::portable_exp(proposed_value - log_likelihood_))) {
      // Blind chains keep the responsibilities of what they rejected.
      if (variant_ == Variant::labels)
        for (const auto s : subtypes) std::swap(terms_[s], kept_terms_[s]);
      return;
    }
    ++accepted_;
    now_.orders = std::move(proposed);
    std::swap(now_.components, next_);
    log_likelihood_ = proposed_value;
    if (log_likelihood_ > best_log_likelihood_) {
      best_log_likelihood_ = log_likelihood_;
      best_ = now_;
    }
    draw_shares_again();
  }

  const State& best() const { return best_; }
  double best_log_likelihood() const { return best_log_likelihood_; }
  double accepted() const { return accepted_; }

 private:
  /// Two different subtypes, or the only one.
  std::vector<std::size_t> chosen() {
    const std::size_t K = now_.orders.size();
    if (K == 1) return {0};
    const std::size_t first = stream_.index(K), other = stream_.index(K - 1);
    return {first, other < first ? other : other + 1};
  }

  void exchange_two(std::vector<std::size_t>& order) {
    const std::size_t B = order.size();
    if (B < 2) return;
    const std::size_t first = stream_.index(B), other = stream_.index(B - 1);
    std::swap(order[first], order[other < first ? other : other + 1]);
  }

  void propose_components() {
    likelihood_.moments(terms_, now_.log_shares, moments_);
    for (std::size_t b = 0; b < study_.biomarkers(); ++b) {
      const toolkit::Moments after{moments_.weight[b], moments_.x[b], moments_.xx[b]};
      const auto before = study_.moments[b] - after;
      const double least_sd = study_.least_sd[b];
      const auto& [phi, theta, ratios, base] = now_.components;
      next_.phi[b] = toolkit::ConjugatePosterior(phi[b], before).point(least_sd);
      next_.theta[b] = toolkit::ConjugatePosterior(theta[b], after).point(least_sd);
    }
    next_.evaluate(study_, likelihood_);
  }

  void draw_shares_again() {
    const auto counts = likelihood_.counts(terms_, now_.log_shares, now_.orders);
    std::vector<double> participants;
    for (std::size_t s = 0; s < counts.size(); ++s) {
      now_.log_pi[s] = draw_log_pi(variant_, counts[s].stages, stream_);
      participants.push_back(counts[s].participants);
    }
    now_.log_shares = toolkit::draw_log_shares(participants, stream_);
  }

  const Study& study_;
  Variant variant_;
  RandomStream& stream_;
  MixtureLikelihood likelihood_;
  State now_, best_;
  Components next_;
  std::vector<SubtypeTerms> terms_, kept_terms_, next_terms_;  // [K]
  MixtureMoments moments_;
  double log_likelihood_ = -std::numeric_limits<double>::infinity();
  double best_log_likelihood_ = -std::numeric_limits<double>::infinity();
  double accepted_ = 0.0;
};

/// The shares and probabilities of stages, and the posterior of subtype and stage [K][J, B + 1].
struct Staging {
  std::vector<double> shares;
  std::vector<Matrix> posterior;
};

/// Sets the posterior of every participant, and adds it up.
void set_posterior(const std::vector<Matrix>& likelihood, std::span<const double> shares,
                   std::span<const std::vector<double>> pi, std::vector<Matrix>& posterior,
                   std::vector<std::vector<double>>& counts) {
  const std::size_t K = likelihood.size(), J = likelihood.front().rows(),
                    stages = likelihood.front().cols();
  counts.assign(K, std::vector<double>(stages, 0.0));
  for (std::size_t j = 0; j < J; ++j) {
    double sum = 0.0;
    for (std::size_t s = 0; s < K; ++s)
      for (std::size_t k = 0; k < stages; ++k)
        sum += posterior[s](j, k) = shares[s] * pi[s][k] * likelihood[s](j, k);
    for (std::size_t s = 0; s < K; ++s)
      for (std::size_t k = 0; k < stages; ++k) counts[s][k] += posterior[s](j, k) /= sum;
  }
}

/// Labels are looked at no more: everybody may be at any stage. Rounds of responsibilities and
/// draws, of which the last one decides.
Staging published_staging(const std::vector<Matrix>& likelihood, RandomStream& stream) {
  const std::size_t K = likelihood.size(), stages = likelihood.front().cols();
  Staging out{toolkit::draw_shares(std::vector<double>(K, 0.0), stream), likelihood};
  std::vector<std::vector<double>> pi, counts;
  for (std::size_t s = 0; s < K; ++s)
    pi.push_back(toolkit::draw_shares(std::vector<double>(stages, 0.0), stream));
  for (int round = 0; round < kStagingRounds; ++round) {
    set_posterior(likelihood, out.shares, pi, out.posterior, counts);
    std::vector<double> participants;
    for (std::size_t s = 0; s < K; ++s) {
      pi[s] = toolkit::draw_shares(counts[s], stream);
      double sum = 0.0;
      for (const double count : counts[s]) sum += count;
      participants.push_back(sum);
    }
    out.shares = toolkit::draw_shares(participants, stream);
  }
  set_posterior(likelihood, out.shares, pi, out.posterior, counts);
  return out;
}

/// The responsibilities of the best state.
Staging staging_of(const State& state, const std::vector<Matrix>& likelihood) {
  Staging out{{}, likelihood};
  std::vector<std::vector<double>> pi(state.log_pi.size()), counts;
  for (std::size_t s = 0; s < pi.size(); ++s) {
    for (const double log_pi : state.log_pi[s]) pi[s].push_back(toolkit::portable_exp(log_pi));
    out.shares.push_back(toolkit::portable_exp(state.log_shares[s]));
  }
  set_posterior(likelihood, out.shares, pi, out.posterior, counts);
  return out;
}

}  // namespace

Inference published_chain(const Study& study, Variant variant, std::size_t subtypes,
                          std::int64_t iterations, RandomStream& stream) {
  PublishedChain chain(study, variant, subtypes, stream);
  for (std::int64_t i = 0; i < iterations; ++i) chain.step();
  const auto& best = chain.best();
  Components everyone = best.components;
  const MixtureLikelihood of_everyone(study.everyone);
  everyone.log_ratios = ParticipantColumns(study.biomarkers(), study.everyone.participants());
  everyone.evaluate(study, of_everyone);
  const auto likelihood = toolkit::stage_likelihoods(everyone.log_ratios, best.orders);
  auto [shares, posterior] = variant == Variant::labels ? published_staging(likelihood, stream)
                                                        : staging_of(best, likelihood);
  auto out = toolkit::subtype_answer(study.columns, toolkit::ranks_of_orders(best.orders),
                                     std::move(shares), posterior);
  double in_units = chain.best_log_likelihood();  // of the cohort
  for (std::size_t b = 0; b < study.biomarkers(); ++b)
    in_units -= study.moments[b].n * toolkit::portable_log(study.scale[b]);
  out.diagnostics = {{"acceptance", chain.accepted() / static_cast<double>(iterations)},
                     {"iterations", static_cast<double>(iterations)},
                     {"log_likelihood", in_units}};
  return out;
}

}  // namespace tempo::bebms
