#include "repaired_chains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "joint_move.hpp"
#include "tempo/toolkit/most_likely_stage.hpp"
#include "tempo/toolkit/order_sampler.hpp"
#include "tempo/toolkit/order_search.hpp"
#include "tempo/toolkit/order_traces.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "tempo/toolkit/simplex.hpp"

namespace tempo::sa_ebm {
namespace {

using toolkit::draw_log_shares;
using toolkit::stage_counts;

constexpr std::size_t kAttempts = 4;  // per chain
constexpr std::int64_t kAttemptLength = 60;
constexpr int kKernelRounds = 10, kRoundLength = 6;

/// What a chain was at, for the stages.
struct Draw {
  std::vector<std::size_t> order;
  std::vector<Normal> phi, theta;
  std::shared_ptr<const Kernels> kernels;
  std::vector<double> log_pi;
};

class RepairedChain {
 public:
  RepairedChain(const Study& study, const RepairedSettings& settings, RandomStream stream)
      : study_(&study),
        settings_(&settings),
        stream_(std::move(stream)),
        likelihood_(study.diseased),
        sampler_(study.diseased.participants(), study.biomarkers()),
        joint_move_(study),
        components_(study),
        log_pi_(draw_log_shares(std::vector<double>(study.biomarkers(), 0.0), stream_)),
        stages_(study.diseased.padded()),
        u_(study.diseased.padded(), 0.5),
        averages_(study.biomarkers()) {
    components_.evaluate(*study_, likelihood_);
    sampler_.set_evidence(components_.log_ratios);
    weigh_stages();
    sampler_.set_order(stream_.permutation(study.biomarkers()));
  }

  /// Forgets the order and finds one again, the distributions as they are. From now on draws come
  /// from `stream`.
  void anneal_order(RandomStream stream) {
    stream_ = std::move(stream);
    sampler_.set_order(stream_.permutation(study_->biomarkers()));
    for (std::int64_t i = 0; i < kAttemptLength; ++i)
      step(0.0, toolkit::annealing_temperature(i, kAttemptLength, stages_.size()));
  }

  /// @param gain  weight of this iteration's stages in the estimates of `mle`, `em` and (its
  /// normals) `kde`; 0: estimates are final
  /// @param temperature  of the order's moves
  /// @param held  the distributions stay as they are
  void step(double gain, double temperature = 1.0, bool held = false) {
    sampler_.draw_stages(stream_, stages_);
    if (settings_->variant == Variant::conjugate && !held) {
      draw_components();
      move_events_with_components();
      evaluate_components();
    } else if (settings_->variant != Variant::hard_kmeans && gain > 0.0 && !held) {
      estimate_components(gain);
      evaluate_components();
    }
    log_pi_ = draw_log_shares(counts_of_stages(), stream_);
    weigh_stages();
    sampler_.refresh();
    for (std::int64_t move = 0; move < settings_->order_moves; ++move)
      sampler_.place(stream_.index(sampler_.size()), stream_, temperature);
    sampler_.move_segment(stream_, temperature);
  }

  /// Kernels in place of the normals, expectation maximisation with orders drawn in between.
  void fit_kernels() {
    Kernels kernels(*study_, Fidelity::repaired);
    for (int round = 0; round < kKernelRounds; ++round) {
      Matrix happened(study_->everyone.participants(), study_->biomarkers());
      for (int i = 0; i < kRoundLength; ++i) {
        step(0.0);
        const auto now = components_.happened(*study_, sampler_.order(), log_pi_);
        for (std::size_t cell = 0; cell < now.values().size(); ++cell)
          happened.values()[cell] += now.values()[cell] / kRoundLength;
      }
      kernels = kernels.refitted(happened);
      components_.kernels = std::make_shared<const Kernels>(kernels);
      evaluate_components();
    }
  }

  const std::vector<std::size_t>& order() const { return sampler_.order(); }
  /// log p(x | order, components, pi) of the diseased and p(x | components) of the controls.
  double log_likelihood() const { return components_.base + sampler_.value(); }
  double acceptance() const { return sampler_.acceptance(); }

  Draw draw() const {
    return {sampler_.order(), components_.phi, components_.theta, components_.kernels, log_pi_};
  }

 private:
  /// mu, sigma of every component | k.
  void draw_components() {
    std::vector<double> first(study_->biomarkers());
    for (std::size_t i = 0; i < first.size(); ++i)
      first[sampler_.order()[i]] = static_cast<double>(i + 1);
    for (std::size_t b = 0; b < first.size(); ++b) {
      const auto& prior = study_->clusters[b];
      Moments happened;
      for (std::size_t j = 0; j < study_->diseased.participants(); ++j) {
        const double x = study_->diseased[b][j];
        if (!(stages_[j] >= first[b]) || std::isnan(x)) continue;
        happened.n += 1.0;
        happened.x += x;
        happened.xx += x * x;
      }
      components_.theta[b] =
          ConjugatePosterior(prior.theta, happened).draw(study_->least_sd[b], stream_);
      components_.phi[b] = ConjugatePosterior(prior.phi, study_->moments[b] - happened)
                               .draw(study_->least_sd[b], stream_);
    }
  }

  void move_events_with_components() {
    order_ = sampler_.order();
    for (std::int64_t move = 0; move < settings_->order_moves; move += 4)  // they cost more
      joint_move_(stream_.index(order_.size()), log_pi_, order_, components_, stages_, stream_);
    sampler_.set_order(order_);
  }

  void evaluate_components() {
    components_.evaluate(*study_, likelihood_);
    sampler_.set_evidence(components_.log_ratios);
  }

  /// [B] participants at stages 1..B.
  std::vector<double> counts_of_stages() const {
    std::vector<double> counts(study_->biomarkers());
    for (std::size_t j = 0; j < study_->diseased.participants(); ++j)
      counts[static_cast<std::size_t>(stages_[j]) - 1] += 1.0;
    return counts;
  }

  /// The diseased have had an event.
  void weigh_stages() {
    std::vector<double> log_weights{-std::numeric_limits<double>::infinity()};
    log_weights.insert(log_weights.end(), log_pi_.begin(), log_pi_.end());
    sampler_.set_stage_weights(log_weights);
  }

  Moments happened_to(std::size_t b) const { return {sums_.weight[b], sums_.x[b], sums_.xx[b]}; }

  /// Stochastic approximation of expectation maximisation (Delyon, Lavielle and Moulines 1999,
  /// Annals of Statistics 27(1), 94-128): the moments of the chain's states are averaged, and
  /// normals fitted to the averages. `em` and `kde` use expected states, `mle` the likelier state
  /// of each participant and event.
  void estimate_components(double gain) {
    const bool soft = settings_->variant != Variant::mle;
    if (soft) {
      likelihood_.expect(components_.log_ratios, sampler_.order(), log_pi_, toolkit::Sums::moments,
                         sums_);
    } else {
      std::fill(u_.begin(), u_.end(), 0.5);
      likelihood_.assign(components_.log_ratios, sampler_.order(), log_pi_, u_, sums_);
    }
    constexpr double kLeastWeight = 2.0;  // below it a component keeps its distribution
    const auto fitted = [&](const Moments& data, const Normal& current, double least_sd) {
      if (data.n < kLeastWeight) return current;
      Normal normal = weighted_normal(data, soft ? 0.0 : 1.0);
      normal.sd = std::max(normal.sd, least_sd);
      return normal;
    };
    for (std::size_t b = 0; b < averages_.size(); ++b) {
      const Moments change = happened_to(b) - averages_[b];
      averages_[b].n += gain * change.n;
      averages_[b].x += gain * change.x;
      averages_[b].xx += gain * change.xx;
      components_.theta[b] = fitted(averages_[b], components_.theta[b], study_->least_sd[b]);
      components_.phi[b] =
          fitted(study_->moments[b] - averages_[b], components_.phi[b], study_->least_sd[b]);
    }
  }

  const Study* study_;
  const RepairedSettings* settings_;
  RandomStream stream_;
  toolkit::StageLikelihood likelihood_;
  toolkit::OrderSampler sampler_;
  JointMove joint_move_;
  Components components_;
  std::vector<double> log_pi_, stages_, u_;
  std::vector<std::size_t> order_;
  toolkit::StageSums sums_;
  std::vector<Moments> averages_;
};

/// The posterior has many modes, most of them hundreds of nats below the best, and a chain that has
/// settled in one does not leave it. So a chain continues the likeliest of a few annealed attempts
/// of its own, each from a random order.
RepairedChain started(const Study& study, const RepairedSettings& settings,
                      const RandomStream& stream) {
  std::optional<RepairedChain> best;
  double best_log_likelihood = 0.0;
  for (std::size_t attempt = 0; attempt < kAttempts; ++attempt) {
    RepairedChain chain(study, settings, stream.substream("attempt", attempt));
    // Every other attempt finds its order before it moves the distributions from the clusters' own.
    const bool held = attempt % 2 == 0;
    double sum = 0.0;
    for (std::int64_t i = 0; i < kAttemptLength; ++i) {
      const double temperature =
          toolkit::annealing_temperature(i, kAttemptLength / 2, study.diseased.participants());
      chain.step(1.0, temperature, held && i < kAttemptLength / 2);
      if (4 * i >= 3 * kAttemptLength) sum += chain.log_likelihood();
    }
    if (best && sum <= best_log_likelihood) continue;
    best_log_likelihood = sum;
    best.emplace(std::move(chain));
  }
  return *std::move(best);
}

std::vector<RepairedChain> started_chains(const Study& study, const RepairedSettings& settings,
                                          const RandomStream& stream) {
  std::vector<RepairedChain> chains;
  for (std::int64_t c = 0; c < settings.chains; ++c)
    chains.push_back(
        started(study, settings, stream.substream("chain", static_cast<std::uint64_t>(c))));
  if (settings.variant == Variant::conjugate || settings.variant == Variant::hard_kmeans)
    return chains;

  // One set of estimates for all chains: averages over a while, and final after it. Orders are
  // found anew.
  RepairedChain best = *std::max_element(chains.begin(), chains.end(),
                                         [](const RepairedChain& a, const RepairedChain& b) {
                                           return a.log_likelihood() < b.log_likelihood();
                                         });
  for (std::int64_t i = 0; i < 2 * kAttemptLength; ++i) best.step(1.0 / static_cast<double>(i + 1));
  if (settings.variant == Variant::kde) best.fit_kernels();
  for (std::size_t c = 0; c < chains.size(); ++c) {
    chains[c] = best;
    chains[c].anneal_order(stream.substream("anneal", c));
  }
  return chains;
}

/// P(k_j | x_j) of everyone, stages 0..B as common as in the study, averaged over draws.
Matrix mean_stage_posterior(const Study& study, const std::vector<std::vector<Draw>>& draws,
                            std::size_t first_used) {
  constexpr std::size_t kMost = 100;  // of a chain: more change nothing
  const toolkit::StageLikelihood everyone(study.everyone);
  Components components(study);
  const auto J = static_cast<double>(study.everyone.participants());
  const auto n = static_cast<double>(study.diseased_rows.size());
  const double log_diseased = toolkit::portable_log((n + 1.0) / (J + 2.0));
  Matrix sum(study.everyone.participants(), study.biomarkers() + 1);
  double used = 0.0;
  for (const auto& chain : draws) {
    const std::size_t step = (chain.size() - first_used + kMost - 1) / kMost;
    for (std::size_t i = first_used; i < chain.size(); i += step) {
      const auto& draw = chain[i];
      components.phi = draw.phi;
      components.theta = draw.theta;
      components.kernels = draw.kernels;
      std::vector<double> log_prior = {toolkit::portable_log((J - n + 1.0) / (J + 2.0))};
      for (const double log_share : draw.log_pi) log_prior.push_back(log_diseased + log_share);
      toolkit::add_stage_posterior(components.log_ratios_of_everyone(everyone), draw.order,
                                   log_prior, sum);
      used += 1.0;
    }
  }
  for (double& share : sum.values()) share /= used;
  return sum;
}

}  // namespace

Inference repaired_chains(const Study& study, const RepairedSettings& settings,
                          const RandomStream& stream) {
  const auto length = static_cast<std::size_t>(settings.iterations / settings.chains);
  auto chains = started_chains(study, settings, stream);
  toolkit::OrderTraces traces(chains.size(), study.biomarkers(), 0);
  std::vector<std::vector<Draw>> draws(chains.size());
  constexpr std::size_t kFirstLook = 200;
  const auto thinning = static_cast<std::size_t>(settings.thinning);
  toolkit::run_until_agreed(traces, kFirstLook / thinning + 8, length / thinning,
                            [&](std::size_t c) {
                              for (std::size_t i = 0; i < thinning; ++i) chains[c].step(0.0);
                              traces.add(c, chains[c].order(), chains[c].log_likelihood());
                              draws[c].push_back(chains[c].draw());
                            });

  Inference inference;
  traces.report(study.columns, inference);
  inference.stage_posterior = mean_stage_posterior(study, draws, traces.first_used());
  for (std::size_t j = 0; j < inference.stage_posterior->rows(); ++j)
    inference.stages.push_back(toolkit::median_stage(inference.stage_posterior->row(j)));
  double acceptance = 0.0;
  for (const auto& chain : chains)
    acceptance += chain.acceptance() / static_cast<double>(chains.size());
  inference.diagnostics["acceptance"] = acceptance;
  inference.diagnostics["iterations"] = static_cast<double>(traces.length() * thinning);
  return inference;
}

}  // namespace tempo::sa_ebm
