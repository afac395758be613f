// DEBM GMM: DEBM's mixtures, the order of the event-based model: README.md.

#include <cmath>
#include <utility>

#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"
#include "tempo/toolkit/bias_corrected_mixtures.hpp"
#include "tempo/toolkit/doubtful_values.hpp"
#include "tempo/toolkit/event_based_model.hpp"
#include "tempo/toolkit/most_likely_stage.hpp"

namespace tempo {
namespace {

using toolkit::Fidelity;
using toolkit::NormalMixture;

struct DebmGmmSettings {
  explicit DebmGmmSettings(Parameters& keys)
      : model(keys, {.proposal = toolkit::Proposal::exchange_any,
                     .climb_ties = true,
                     .iterations = 10'000,
                     .stage_with = toolkit::StageOrder::ml}),
        fit(toolkit::read_mixture_fit(keys, model.fidelity)) {}

  toolkit::EventBasedSettings model;
  toolkit::MixtureFitSettings fit;
};

/// Each event as likely as not before its biomarker is seen.
NormalMixture with_equal_shares(NormalMixture mixture) {
  mixture.mix = 0.5;
  return mixture;
}

class DebmGmm final : public InferenceMethod {
 public:
  explicit DebmGmm(const DebmGmmSettings& settings) : settings_(settings) {}

 private:
  Inference do_fit(const Cohort& given, RandomStream& stream) const override {
    const auto cohort = toolkit::believed(given, settings_.model.fidelity);
    auto fit = toolkit::fit_bias_corrected_mixtures(cohort, settings_.fit);
    auto inference = settings_.model.fidelity == Fidelity::paper
                         ? as_published(cohort, fit.mixtures, stream)
                         : as_meant(cohort, fit.mixtures, stream);
    inference.diagnostics["likelihood_evaluations"] = static_cast<double>(fit.evaluations);
    inference.diagnostics["rounds"] = static_cast<double>(fit.rounds);
    inference.warnings.insert(inference.warnings.begin(), fit.warnings.begin(), fit.warnings.end());
    toolkit::warn_of_doubtful_values(given, toolkit::far_values_with(settings_.model.fidelity),
                                     inference);
    return inference;
  }

  Inference as_published(const Cohort& cohort, const std::vector<NormalMixture>& mixtures,
                         RandomStream& stream) const {
    const auto& x = cohort.measurements;
    Matrix p(x.rows(), x.cols()), y(x.rows(), x.cols()), n(x.rows(), x.cols());
    for (std::size_t j = 0; j < x.rows(); ++j)
      for (std::size_t b = 0; b < x.cols(); ++b) {
        p(j, b) = toolkit::posterior(mixtures[b], x(j, b), kAdded);
        const double q = toolkit::posterior(with_equal_shares(mixtures[b]), x(j, b), kAdded);
        y(j, b) = std::isnan(q) ? 0.5 : q;
        n(j, b) = 1.0 - y(j, b);
      }
    toolkit::OrderLikelihood likelihood(y, n, toolkit::kPublishedFloor);
    const auto search = search_as_published(likelihood, settings_.model.search, stream);
    auto inference = toolkit::inference_of(search);
    inference.stages = toolkit::stages_by_probabilities(
        p, toolkit::staging_order(search, settings_.model.stage_with));
    return inference;
  }

  Inference as_meant(const Cohort& cohort, const std::vector<NormalMixture>& mixtures,
                     RandomStream& stream) const {
    const auto& x = cohort.measurements;
    Matrix log_ratios(x.rows(), x.cols()), log_odds(x.rows(), x.cols());
    for (std::size_t j = 0; j < x.rows(); ++j)
      for (std::size_t b = 0; b < x.cols(); ++b) {
        log_ratios(j, b) = toolkit::log_odds_post(with_equal_shares(mixtures[b]), x(j, b));
        log_odds(j, b) = toolkit::log_odds_post(mixtures[b], x(j, b));
      }
    return toolkit::infer_from_sample(log_ratios, log_odds, settings_.model.sampling, stream);
  }

  static constexpr double kAdded = 1e-100;  // paper: to the mixture's density

  DebmGmmSettings settings_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(
    tempo::InferenceMethod, tempo::DebmGmm, tempo::DebmGmmSettings,
    {.id = "debm_gmm",
     .version = "1.3.0",
     .licence = "MIT",
     .summary = "event-based model on DEBM's mixtures: orders by their likelihood",
     .source = "Venkatraghavan et al. 2019, NeuroImage 186, 518-532; Fonteijn et al. 2012, "
               "NeuroImage 60(3), 1880-1889",
     .labels = tempo::LabelUse::fit,
     .missing = tempo::MissingData::marginal});
