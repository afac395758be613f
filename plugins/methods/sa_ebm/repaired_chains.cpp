#include "repaired_chains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "mcmc_diagnostics.hpp"
#include "portable_math.hpp"
#include "simplex.hpp"

namespace tempo::sa_ebm {
namespace {

constexpr double kTrustedRHat = 1.05;
constexpr std::size_t kAttempts = 10;

class Chain {
 public:
  Chain(const Study& study, const RepairedSettings& settings, RandomStream stream)
      : study_(&study),
        settings_(&settings),
        stream_(std::move(stream)),
        likelihood_(study.diseased),
        everyone_(study.everyone),
        components_(study),
        order_(stream_.permutation(study.biomarkers())),
        log_pi_(draw_log_shares(std::vector<double>(study.biomarkers(), 0.0), stream_)),
        u_(study.diseased.padded(), 0.5),
        averages_(study.biomarkers()) {
    components_.evaluate(*study_, likelihood_);
  }

  /// @param gain  weight of this iteration's stages in the estimates of `mle` and `em`; 0:
  /// estimates are final
  void step(double gain) {
    draw_stages();
    if (settings_->variant == Variant::conjugate)
      draw_components();
    else if (settings_->variant != Variant::hard_kmeans && gain > 0.0)
      estimate_components(gain);
    move_events();
  }

  /// The same with the distributions as they are.
  void step_with_clusters() {
    draw_stages();
    move_events();
  }

  const std::vector<std::size_t>& order() const { return order_; }
  /// log p(x | order, components, pi) of the diseased and p(x | components) of the controls, at the
  /// last step's start.
  double log_likelihood() const { return log_likelihood_; }
  double moved_share() const { return static_cast<double>(moved_) / static_cast<double>(moves_); }

  /// Adds P(k_j | x_j) of everyone, with stages 0..B as common as in the study.
  void add_stages(Matrix& sum) const {
    const auto J = static_cast<double>(study_->everyone.participants());
    const auto n = static_cast<double>(study_->diseased_rows.size());
    const double log_diseased = toolkit::portable_log((n + 1.0) / (J + 2.0));
    std::vector<double> log_prior = {toolkit::portable_log((J - n + 1.0) / (J + 2.0))};
    for (const double log_share : log_pi_) log_prior.push_back(log_diseased + log_share);
    toolkit::add_stage_posterior(components_.log_ratios_of_everyone(everyone_), order_, log_prior,
                                 sum);
  }

 private:
  /// k_j | order, components, pi; then pi | k.
  void draw_stages() {
    for (std::size_t j = 0; j < study_->diseased.participants(); ++j) u_[j] = stream_.uniform();
    likelihood_.assign(components_.log_ratios, order_, log_pi_, u_, sums_);
    log_likelihood_ = components_.base + sums_.log_likelihood;
    next_log_pi_ = draw_log_shares(stage_counts(sums_.happened), stream_);
  }

  /// mu, sigma of every component | k: independent of pi given k.
  void draw_components() {
    for (std::size_t b = 0; b < order_.size(); ++b) {
      const auto& prior = study_->clusters[b];
      const Moments happened = happened_to(b);
      components_.theta[b] =
          ConjugatePosterior(prior.theta, happened).draw(study_->least_sd[b], stream_);
      components_.phi[b] = ConjugatePosterior(prior.phi, study_->moments[b] - happened)
                               .draw(study_->least_sd[b], stream_);
    }
    components_.evaluate(*study_, likelihood_);
  }

  Moments happened_to(std::size_t b) const { return {sums_.weight[b], sums_.x[b], sums_.xx[b]}; }

  /// Stochastic approximation of expectation maximisation (Delyon, Lavielle and Moulines 1999,
  /// Annals of Statistics 27(1), 94-128): the moments of the chain's states are averaged, and
  /// normals fitted to the averages. `em` uses expected states, `mle` the likelier state of each
  /// participant and event.
  void estimate_components(double gain) {
    const bool soft = settings_->variant == Variant::em;
    if (soft) {
      likelihood_.expect(components_.log_ratios, order_, log_pi_, toolkit::Sums::moments, sums_);
    } else {
      std::fill(u_.begin(), u_.end(), 0.5);
      likelihood_.assign(components_.log_ratios, order_, log_pi_, u_, sums_);
    }
    constexpr double kLeastWeight = 2.0;  // below it a component keeps its distribution
    const auto fitted = [&](const Moments& data, const Normal& current, double least_sd) {
      if (data.n < kLeastWeight) return current;
      Normal normal = weighted_normal(data, soft ? 0.0 : 1.0);
      normal.sd = std::max(normal.sd, least_sd);
      return normal;
    };
    for (std::size_t b = 0; b < order_.size(); ++b) {
      const Moments change = happened_to(b) - averages_[b];
      averages_[b].n += gain * change.n;
      averages_[b].x += gain * change.x;
      averages_[b].xx += gain * change.xx;
      components_.theta[b] = fitted(averages_[b], components_.theta[b], study_->least_sd[b]);
      components_.phi[b] =
          fitted(study_->moments[b] - averages_[b], components_.phi[b], study_->least_sd[b]);
    }
    components_.evaluate(*study_, likelihood_);
  }

  void move_events() {
    log_pi_ = next_log_pi_;
    for (std::int64_t move = 0; move < settings_->order_moves; ++move) move_one_event();
  }

  /// The place of a random event | the order of the others, components, pi; stages summed out.
  void move_one_event() {
    const std::size_t B = order_.size(), from = stream_.index(B);
    const std::size_t b = order_[from];
    order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(from));
    std::vector<double> weights(B);
    likelihood_.insertions(components_.log_ratios, order_, b, log_pi_, weights);
    const double top = *std::max_element(weights.begin(), weights.end());
    double total = 0.0;
    for (double& weight : weights) total += weight = toolkit::portable_exp(weight - top);
    double left = stream_.uniform() * total;
    std::size_t to = 0;
    while (to + 1 < B && left >= weights[to]) left -= weights[to++];
    order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(to), b);
    ++moves_;
    moved_ += to != from;
  }

  const Study* study_;
  const RepairedSettings* settings_;
  RandomStream stream_;
  toolkit::StageLikelihood likelihood_, everyone_;
  Components components_;
  std::vector<std::size_t> order_;
  std::vector<double> log_pi_, next_log_pi_, u_;
  toolkit::StageSums sums_;
  std::vector<Moments> averages_;
  double log_likelihood_ = 0.0;
  long moves_ = 0, moved_ = 0;
};

/// A chain after burn-in. The posterior has many modes, most of them hundreds of nats below the
/// best, and a chain that has settled in one does not leave it. So half the burn-in goes to short
/// attempts, each from a random order; the rest continues the likeliest.
Chain burnt_in(const Study& study, const RepairedSettings& settings, const RandomStream& stream,
               std::int64_t burn_in) {
  const std::int64_t length = burn_in / 2 / static_cast<std::int64_t>(kAttempts);
  std::optional<Chain> best;
  double best_log_likelihood = 0.0;
  for (std::size_t attempt = 0; attempt < kAttempts; ++attempt) {
    Chain chain(study, settings, stream.substream("attempt", attempt));
    // Every other attempt finds its order before it moves the distributions from the clusters' own.
    const std::int64_t held = attempt % 2 == 0 ? length / 2 : 0;
    double sum = 0.0;
    for (std::int64_t i = 0; i < length; ++i) {
      if (i < held)
        chain.step_with_clusters();
      else
        chain.step(1.0);
      if (4 * i >= 3 * length) sum += chain.log_likelihood();
    }
    if (best && sum <= best_log_likelihood) continue;
    best_log_likelihood = sum;
    best.emplace(std::move(chain));
  }
  // Estimates of `mle` and `em` are averages over the rest of the burn-in, and final after it.
  for (std::int64_t i = 0; i < burn_in - length * static_cast<std::int64_t>(kAttempts); ++i)
    best->step(1.0 / static_cast<double>(i + 1));
  return *std::move(best);
}

/// The least s with P(k <= s) >= 1/2: no other stage has a smaller expected distance from the
/// participant's.
double median_stage(std::span<const double> posterior) {
  double below = 0.0;
  for (std::size_t k = 0; k < posterior.size(); ++k)
    if ((below += posterior[k]) >= 0.5) return static_cast<double>(k);
  return static_cast<double>(posterior.size() - 1);
}

}  // namespace

Inference repaired_chains(const Cohort& cohort, const Study& study,
                          const RepairedSettings& settings, const RandomStream& stream) {
  const std::size_t J = cohort.participant_count(), B = study.biomarkers();
  const auto chains = static_cast<std::size_t>(settings.chains);
  const std::int64_t length = settings.iterations / settings.chains;
  const auto burn_in =
      static_cast<std::int64_t>(std::floor(settings.burn_in * static_cast<double>(length)));
  const auto kept = static_cast<std::size_t>((length - burn_in) / settings.thinning);

  Matrix log_likelihoods(chains, kept);
  std::vector<Matrix> ranks(B, Matrix(chains, kept));
  Matrix rank_posterior(B, B), stage_posterior(J, B + 1);
  double moved = 0.0;
  for (std::size_t c = 0; c < chains; ++c) {
    Chain chain = burnt_in(study, settings, stream.substream("chain", c), burn_in);
    for (std::size_t draw = 0; draw < kept; ++draw) {
      for (std::int64_t i = 0; i < settings.thinning; ++i) chain.step(0.0);
      log_likelihoods(c, draw) = chain.log_likelihood();
      for (std::size_t r = 0; r < B; ++r) {
        const std::size_t b = chain.order()[r];
        ranks[b](c, draw) = static_cast<double>(r + 1);
        rank_posterior(study.columns[b], r) += 1.0;
      }
      chain.add_stages(stage_posterior);
    }
    moved += chain.moved_share() / static_cast<double>(chains);
  }

  const double draws = static_cast<double>(chains * kept);
  for (double& share : rank_posterior.values()) share /= draws;
  for (double& share : stage_posterior.values()) share /= draws;

  Inference inference;
  inference.event_scores.resize(B);
  double worst_r_hat = 1.0, least_size = draws;
  for (std::size_t b = 0; b < B; ++b) {
    double& score = inference.event_scores[study.columns[b]];
    for (const double rank : ranks[b].values()) score += rank / draws;
    const double r_hat = toolkit::split_r_hat(ranks[b]);
    worst_r_hat = std::max(worst_r_hat, r_hat);
    least_size = std::min(least_size, toolkit::effective_sample_size(ranks[b]));
  }
  for (std::size_t j = 0; j < J; ++j)
    inference.stages.push_back(median_stage(stage_posterior.row(j)));
  inference.rank_posterior = std::move(rank_posterior);
  inference.stage_posterior = std::move(stage_posterior);
  inference.diagnostics = {
      {"acceptance", moved},
      {"chains", static_cast<double>(chains)},
      {"draws", draws},
      {"effective_sample_size_log_likelihood", toolkit::effective_sample_size(log_likelihoods)},
      {"effective_sample_size_ranks", least_size},
      {"iterations", static_cast<double>(settings.chains * length)},
      {"split_r_hat_log_likelihood", toolkit::split_r_hat(log_likelihoods)},
      {"split_r_hat_ranks", worst_r_hat}};
  if (!(worst_r_hat <= kTrustedRHat))
    inference.warnings.push_back(
        fmt::format("the chains disagree on the rank of an event (R-hat > {}): do not trust the rank "
                    "posterior in detail; more iterations may help",
                    kTrustedRHat));
  return inference;
}

}  // namespace tempo::sa_ebm
