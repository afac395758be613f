// UCL KDE: the event-based model on kernel densities of relabelled participants: README.md.

#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"
#include "tempo/toolkit/doubtful_values.hpp"
#include "tempo/toolkit/published_event_model.hpp"
#include "tempo/toolkit/published_relabelling.hpp"
#include "tempo/toolkit/repaired_relabelling.hpp"

namespace tempo {
namespace {

using toolkit::Fidelity;

struct UclKdeSettings {
  explicit UclKdeSettings(Parameters& keys)
      : model(keys, {.proposal = toolkit::Proposal::exchange_distinct,
                     .climb_ties = false,
                     .iterations = 100'000,
                     .stage_with = toolkit::StageOrder::greedy}),
        max_iterations(
            static_cast<long>(keys.integer("max_iterations", 1500, {.low = 1, .high = 1e6},
                                           "limit of a biomarker's relabelling"))) {}

  toolkit::EventBasedSettings model;
  long max_iterations;
};

class UclKde final : public InferenceMethod {
 public:
  explicit UclKde(const UclKdeSettings& settings) : settings_(settings) {}

 private:
  Inference do_fit(const Cohort& given, RandomStream& stream) const override {
    const auto cohort = toolkit::believed(given, settings_.model.fidelity);
    auto inference =
        settings_.model.fidelity == Fidelity::paper
            ? toolkit::infer_from_densities(
                  cohort, toolkit::relabelled_densities(cohort, settings_.max_iterations),
                  settings_.model, stream)
            : as_meant(cohort, stream);
    toolkit::warn_of_doubtful_values(given, toolkit::far_values_with(settings_.model.fidelity),
                                     inference);
    return inference;
  }

  Inference as_meant(const Cohort& cohort, RandomStream& stream) const {
    const auto relabelled = toolkit::relabel_as_meant(cohort, settings_.max_iterations);
    auto inference = toolkit::infer_from_sample(relabelled.log_ratios, relabelled.log_ratios,
                                                settings_.model.sampling, stream);
    inference.diagnostics["density_fits"] = static_cast<double>(relabelled.refits);
    inference.warnings.insert(inference.warnings.begin(), relabelled.warnings.begin(),
                              relabelled.warnings.end());
    return inference;
  }

  UclKdeSettings settings_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::InferenceMethod, tempo::UclKde, tempo::UclKdeSettings,
             {.id = "ucl_kde",
              .version = "1.3.0",
              .licence = "MIT",
              .summary = "event-based model on kernel densities of relabelled participants",
              .source = "Firth et al. 2020, Alzheimer's & Dementia 16(7), 965-973; Fonteijn et al. "
                        "2012, NeuroImage 60(3), 1880-1889",
              .labels = tempo::LabelUse::fit,
              .missing = tempo::MissingData::marginal});
