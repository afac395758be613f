// UCL GMM: the event-based model on mixtures that move apart: README.md.

#include <vector>

#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"
#include "tempo/toolkit/doubtful_values.hpp"
#include "tempo/toolkit/published_event_model.hpp"
#include "tempo/toolkit/separating_mixtures.hpp"

namespace tempo {
namespace {

using toolkit::Fidelity;
using toolkit::NormalMixture;

struct UclGmmSettings {
  explicit UclGmmSettings(Parameters& keys)
      : model(keys, {.proposal = toolkit::Proposal::exchange_distinct,
                     .climb_ties = false,
                     .iterations = 100'000,
                     .stage_with = toolkit::StageOrder::greedy}) {
    fit.fidelity = model.fidelity;
    fit.tolerance =
        keys.number("tolerance", fit.fidelity == Fidelity::paper ? 1e-6 : fit.tolerance, positive,
                    "absolute tolerance of the optimiser (paper default: 1e-6)");
    fit.max_iterations = static_cast<int>(keys.integer(
        "max_iterations", fit.max_iterations, {.low = 1, .high = 1e6}, "limit of the optimiser"));
  }

  toolkit::EventBasedSettings model;
  toolkit::SeparatingFitSettings fit;
};

class UclGmm final : public InferenceMethod {
 public:
  explicit UclGmm(const UclGmmSettings& settings) : settings_(settings) {}

 private:
  Inference do_fit(const Cohort& given, RandomStream& stream) const override {
    const auto cohort = toolkit::believed(given, settings_.model.fidelity);
    const auto fit = toolkit::fit_separating_mixtures(cohort, settings_.fit);
    auto inference = settings_.model.fidelity == Fidelity::paper
                         ? toolkit::infer_from_densities(
                               cohort, toolkit::densities_of(fit.mixtures), settings_.model, stream)
                         : as_meant(cohort, fit.mixtures, stream);
    inference.diagnostics["likelihood_evaluations"] = static_cast<double>(fit.evaluations);
    inference.warnings.insert(inference.warnings.begin(), fit.warnings.begin(), fit.warnings.end());
    toolkit::warn_of_doubtful_values(given, toolkit::far_values_with(settings_.model.fidelity),
                                     inference);
    return inference;
  }

  Inference as_meant(const Cohort& cohort, const std::vector<NormalMixture>& mixtures,
                     RandomStream& stream) const {
    const auto log_ratios = toolkit::log_ratios_of(cohort, mixtures);
    return toolkit::infer_from_sample(log_ratios, log_ratios, settings_.model.sampling, stream);
  }

  UclGmmSettings settings_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(
    tempo::InferenceMethod, tempo::UclGmm, tempo::UclGmmSettings,
    {.id = "ucl_gmm",
     .version = "1.3.0",
     .licence = "MIT",
     .summary = "event-based model on two normals that move apart from the groups' moments",
     .source = "Firth et al. 2020, Alzheimer's & Dementia 16(7), 965-973; Fonteijn et al. "
               "2012, NeuroImage 60(3), 1880-1889",
     .labels = tempo::LabelUse::fit,
     .missing = tempo::MissingData::marginal});
