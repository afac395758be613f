#include "published_chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "tempo/toolkit/portable_math.hpp"
#include "tempo/toolkit/simplex.hpp"

namespace tempo::sa_ebm {
namespace {

using toolkit::draw_log_shares;
using toolkit::draw_shares;
using toolkit::stage_counts;

using toolkit::portable_exp;
using toolkit::portable_log;

constexpr int kStagingRounds = 50;
constexpr double kStagingTolerance = 1e-6;
constexpr double kLeastShare = 1e-12;  // of a stage, in the logarithm

/// A component's new normal from the values that are its own, the published way.
Normal update(Variant variant, const Normal& current, const Moments& data, double least_sd) {
  switch (variant) {
    case Variant::mle: {
      constexpr double kNobody = 0.5,
                       kOnlyOne = 1.5;  // hard assignments: weights are whole but for rounding
      if (data.n < kNobody) return current;
      return data.n < kOnlyOne ? Normal{data.mean(), current.sd} : weighted_normal(data, 1.0);
    }
    case Variant::em: {
      constexpr double kLeastWeight = 1e-9;
      return weighted_normal({std::max(data.n, kLeastWeight), data.x, data.xx}, 0.0);
    }
    default:
      return ConjugatePosterior(current, data).point(least_sd);
  }
}

class PublishedChain {
 public:
  PublishedChain(const Study& study, Variant variant, RandomStream& stream)
      : study_(study),
        variant_(variant),
        stream_(stream),
        likelihood_(study.diseased),
        now_(study),
        next_(study),
        order_(stream.permutation(study.biomarkers())),
        log_pi_(draw_log_shares(std::vector<double>(study.biomarkers(), 0.0), stream)),
        halves_(study.diseased.padded(), 0.5) {
    if (variant == Variant::kde)
      now_.kernels = std::make_shared<const Kernels>(study, Fidelity::paper);
    now_.evaluate(study_, likelihood_);
    next_ = now_;
  }

  void step() {
    std::vector<std::size_t> proposed = order_;
    const std::size_t B = proposed.size();
    if (B > 1) {
      const std::size_t first = stream_.index(B), other = stream_.index(B - 1);
      std::swap(proposed[first], proposed[other < first ? other : other + 1]);
    }
    if (variant_ != Variant::hard_kmeans) propose_components(proposed);
    likelihood_.expect(next_.log_ratios, proposed, log_pi_, toolkit::Sums::counts, sums_);
    const double log_likelihood = next_.base + sums_.log_likelihood;
    const double u = stream_.uniform();
    if (!(log_likelihood > log_likelihood_ || u < portable_exp(log_likelihood - log_likelihood_)))
      return;
    ++accepted_;
    order_ = std::move(proposed);
    if (variant_ != Variant::hard_kmeans) std::swap(now_, next_);
    log_likelihood_ = log_likelihood;
    log_pi_ = draw_log_shares(stage_counts(sums_.happened), stream_);
    if (log_likelihood_ > best_log_likelihood_) {
      best_log_likelihood_ = log_likelihood_;
      best_order_ = order_;
      best_ = now_;
    }
  }

  const std::vector<std::size_t>& best_order() const { return best_order_; }
  const Components& best() const { return best_; }
  double best_log_likelihood() const { return best_log_likelihood_; }
  double accepted() const { return static_cast<double>(accepted_); }

 private:
  void propose_components(const std::vector<std::size_t>& order) {
    if (variant_ == Variant::kde) {
      propose_kernels(order);
      return;
    }
    if (variant_ == Variant::mle)
      likelihood_.assign(now_.log_ratios, order, log_pi_, halves_, sums_);
    else
      likelihood_.expect(now_.log_ratios, order, log_pi_, toolkit::Sums::moments, sums_);
    for (std::size_t b = 0; b < order.size(); ++b) {
      const Moments happened{sums_.weight[b], sums_.x[b], sums_.xx[b]};
      next_.theta[b] = update(variant_, now_.theta[b], happened, study_.least_sd[b]);
      next_.phi[b] =
          update(variant_, now_.phi[b], study_.moments[b] - happened, study_.least_sd[b]);
    }
    next_.evaluate(study_, likelihood_);
  }

  void propose_kernels(const std::vector<std::size_t>& order) {
    if (!now_.kernels->may_change()) return;
    next_.kernels = std::make_shared<const Kernels>(
        now_.kernels->refitted(now_.happened(study_, order, log_pi_)));
    next_.evaluate(study_, likelihood_);
  }

  const Study& study_;
  Variant variant_;
  RandomStream& stream_;
  toolkit::StageLikelihood likelihood_;
  Components now_, next_;
  std::vector<std::size_t> order_;
  std::vector<double> log_pi_, halves_;
  double log_likelihood_ = -std::numeric_limits<double>::infinity();
  long accepted_ = 0;
  toolkit::StageSums sums_;
  double best_log_likelihood_ = -std::numeric_limits<double>::infinity();
  std::vector<std::size_t> best_order_;
  Components best_{study_};
};

/// Expectation maximisation of the shares of stages 0..B among everyone, order and distributions
/// given.
Matrix stage_posterior(const ParticipantColumns& log_ratios, const std::vector<std::size_t>& order,
                       RandomStream& stream) {
  const std::size_t J = log_ratios.participants(), stages = order.size() + 1;
  const std::vector<double> flat(stages, 0.0);
  Matrix likelihood(J, stages), posterior(J, stages);  // rows scaled to a sum of 1
  toolkit::add_stage_posterior(log_ratios, order, flat, likelihood);
  auto shares = draw_shares(flat, stream);
  for (int round = 0; round < kStagingRounds; ++round) {
    std::vector<double> next(stages, 1.0);
    for (std::size_t j = 0; j < J; ++j) {
      double total = 0.0;
      for (std::size_t k = 0; k < stages; ++k)
        total += posterior(j, k) = likelihood(j, k) * std::max(shares[k], kLeastShare);
      for (std::size_t k = 0; k < stages; ++k) next[k] += posterior(j, k) /= total;
    }
    double change = 0.0;
    for (std::size_t k = 0; k < stages; ++k) {
      next[k] /= static_cast<double>(stages + J);
      change += std::abs(next[k] - shares[k]);
    }
    shares = next;
    if (change < kStagingTolerance) break;
  }
  return posterior;
}

}  // namespace

Inference published_chain(const Study& study, Variant variant, std::int64_t iterations,
                          RandomStream& stream) {
  PublishedChain chain(study, variant, stream);
  for (std::int64_t i = 0; i < iterations; ++i) chain.step();

  const auto& order = chain.best_order();
  Inference inference;
  inference.event_scores.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    inference.event_scores[study.columns[order[i]]] = static_cast<double>(i + 1);

  const toolkit::StageLikelihood everyone(study.everyone);
  inference.stage_posterior =
      stage_posterior(chain.best().log_ratios_of_everyone(everyone), order, stream);
  for (std::size_t j = 0; j < inference.stage_posterior->rows(); ++j) {
    const auto row = inference.stage_posterior->row(j);
    inference.stages.push_back(
        static_cast<double>(std::max_element(row.begin(), row.end()) - row.begin()));
  }
  double in_units = chain.best_log_likelihood();  // of the cohort
  for (std::size_t b = 0; b < study.biomarkers(); ++b)
    in_units -= study.moments[b].n * portable_log(study.scale[b]);
  inference.diagnostics = {{"acceptance", chain.accepted() / static_cast<double>(iterations)},
                           {"iterations", static_cast<double>(iterations)},
                           {"log_likelihood", in_units}};
  return inference;
}

}  // namespace tempo::sa_ebm
