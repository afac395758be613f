#include "repaired_chains.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tempo/toolkit/conjugate_normal.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "tempo/toolkit/subtype_agreement.hpp"
#include "tempo/toolkit/subtype_chain.hpp"

namespace tempo::bebms {
namespace {

using toolkit::Moments;

/// What a sweep leaves behind.
struct Draw {
  toolkit::SubtypeState state;
  std::vector<Normal> phi, theta;  // [B]
  double log_likelihood = 0.0;
};

class RepairedChain {
 public:
  RepairedChain(const Study& study, const RepairedSettings& settings, RandomStream stream)
      : study_(&study),
        chain_(
            members(study, settings.variant), settings.subtypes,
            [variant = settings.variant](const std::vector<double>& counts, std::vector<double>&,
                                         RandomStream& draws) {
              return draw_log_pi(variant, counts, draws);
            },
            std::move(stream)),
        components_(study, chain_.participants()) {
    evaluate_components();
  }

  /// @param temperature  of the moves of orders
  /// @param held         the normals stay as they are
  void sweep(double temperature = 1.0, bool held = false) {
    chain_.place_events(temperature);
    log_likelihood_ = components_.base + chain_.draw_members();
    if (!held) draw_components();
    evaluate_components();
  }

  std::size_t participants() const { return chain_.participants(); }
  const toolkit::SubtypeState& state() const { return chain_.state(); }
  double log_likelihood() const { return log_likelihood_; }
  Draw draw() const {
    return {chain_.state(), components_.phi, components_.theta, log_likelihood_};
  }

 private:
  /// The normals given who is of which subtype and at which stage.
  void draw_components() {
    const auto& moments = chain_.members().moments;
    for (std::size_t b = 0; b < study_->biomarkers(); ++b) {
      const auto& prior = study_->clusters[b];
      const Moments after{moments.weight[b], moments.x[b], moments.xx[b]};
      const double least_sd = study_->least_sd[b];
      components_.theta[b] =
          toolkit::ConjugatePosterior(prior.theta, after).draw(least_sd, chain_.stream());
      components_.phi[b] = toolkit::ConjugatePosterior(prior.phi, study_->moments[b] - after)
                               .draw(least_sd, chain_.stream());
    }
  }

  void evaluate_components() {
    components_.evaluate(*study_, chain_.likelihood());
    chain_.set_log_ratios(components_.log_ratios);
  }

  const Study* study_;
  toolkit::SubtypeChain chain_;
  Components components_;
  double log_likelihood_ = 0.0;
};

/// P(subtype, stage | x) of everyone under draws.
class EveryonesPosterior {
 public:
  EveryonesPosterior(const Study& study, Variant variant)
      : study_(study),
        variant_(variant),
        everyone_(study.everyone),
        components_(study, study.everyone.participants()) {}

  /// Proportional to it: [K] matrices [J, B + 1].
  std::vector<Matrix> weights(const Draw& draw) {
    components_.phi = draw.phi;
    components_.theta = draw.theta;
    components_.evaluate(study_, everyone_);
    auto out = toolkit::stage_likelihoods(components_.log_ratios, draw.state.orders);
    for (std::size_t s = 0; s < out.size(); ++s) {
      const auto prior = prior_of_stages(draw.state, s);
      for (std::size_t j = 0; j < out[s].rows(); ++j)
        for (std::size_t k = 0; k < prior.size(); ++k) out[s](j, k) *= prior[k];
    }
    return out;
  }

 private:
  /// Of everyone: the healthy, too, are where they are for all that their values say.
  std::vector<double> prior_of_stages(const toolkit::SubtypeState& state, std::size_t s) const {
    std::vector<double> out;
    for (const double log_pi : state.log_pi[s])
      out.push_back(std::isinf(log_pi) ? 0.0 : toolkit::portable_exp(log_pi));
    if (variant_ == Variant::labels) {
      const auto J = static_cast<double>(study_.everyone.participants());
      const double diseased =
          (static_cast<double>(study_.diseased.participants()) + 1.0) / (J + 2.0);
      for (double& share : out) share *= diseased;
      out[0] = 1.0 - diseased;
    }
    for (double& share : out) share *= toolkit::portable_exp(state.log_shares[s]);
    return out;
  }

  const Study& study_;
  Variant variant_;
  MixtureLikelihood everyone_;
  Components components_;
};

}  // namespace

Inference repaired_chains(const Study& study, const RepairedSettings& settings,
                          const RandomStream& stream) {
  const auto start = toolkit::likeliest_attempt<RepairedChain>(
      settings.attempts, settings.attempt_length,
      [&](std::int64_t attempt) {
        return RepairedChain(study, settings,
                             stream.substream("attempt", static_cast<std::uint64_t>(attempt)));
      },
      // Every other attempt finds its orders before it moves the normals from the clusters' own.
      [](RepairedChain& chain, double temperature, std::int64_t attempt, bool is_first_half) {
        chain.sweep(temperature, attempt % 2 == 0 && is_first_half);
      });
  auto chain = *start.best;
  std::vector<Draw> draws;
  for (std::int64_t i = 0; i < settings.iterations; ++i) {
    chain.sweep();
    draws.push_back(chain.draw());
  }
  const auto first = draws.begin() + static_cast<std::ptrdiff_t>(draws.size() / 2);
  const auto best = std::max_element(first, draws.end(), [](const Draw& a, const Draw& b) {
    return a.log_likelihood < b.log_likelihood;
  });
  toolkit::SubtypeMean mean(best->state, study.everyone.participants());
  EveryonesPosterior posterior(study, settings.variant);
  for (const auto* draw : toolkit::spread_out<Draw>({first, draws.end()}))
    mean.add(draw->state, posterior.weights(*draw));
  auto out = mean.answer(study.columns);
  double in_units = best->log_likelihood;  // of the cohort
  for (std::size_t b = 0; b < study.biomarkers(); ++b)
    in_units -= study.moments[b].n * toolkit::portable_log(study.scale[b]);
  out.diagnostics = {{"iterations", static_cast<double>(draws.size())},
                     {"log_likelihood", in_units}};
  const auto trace = toolkit::trace_of<Draw>({first, draws.end()});
  report_agreement(best->state, trace, out);
  toolkit::report_attempts(start.log_posteriors, out);
  warn_of_other_orders(start.log_posteriors, start.states, best->state, trace, "attempts", out);
  return out;
}

}  // namespace tempo::bebms
