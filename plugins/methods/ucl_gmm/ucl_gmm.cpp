// UCL GMM: the event-based model on mixtures that move apart: README.md.

#include <cstddef>
#include <span>
#include <vector>

#include "separating_mixtures.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"
#include "tempo/toolkit/doubtful_values.hpp"
#include "tempo/toolkit/published_event_model.hpp"

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
  SeparatingFitSettings fit;
};

class UclGmm final : public InferenceMethod {
 public:
  explicit UclGmm(const UclGmmSettings& settings) : settings_(settings) {}

 private:
  Inference do_fit(const Cohort& given, RandomStream& stream) const override {
    const auto cohort = toolkit::believed(given, settings_.model.fidelity);
    const auto fit = fit_separating_mixtures(cohort, settings_.fit);
    auto inference = settings_.model.fidelity == Fidelity::paper
                         ? as_published(cohort, fit.mixtures, stream)
                         : as_meant(cohort, fit.mixtures, stream);
    inference.diagnostics["likelihood_evaluations"] = static_cast<double>(fit.evaluations);
    inference.warnings.insert(inference.warnings.begin(), fit.warnings.begin(), fit.warnings.end());
    toolkit::warn_of_doubtful_values(given, toolkit::far_values_with(settings_.model.fidelity),
                                     inference);
    return inference;
  }

  Inference as_published(const Cohort& cohort, const std::vector<NormalMixture>& mixtures,
                         RandomStream& stream) const {
    return toolkit::infer_from_densities(
        cohort,
        [&](std::size_t b, std::span<const double> x, std::span<double> pre,
            std::span<double> post) {
          for (std::size_t j = 0; j < x.size(); ++j) {
            pre[j] = toolkit::density(mixtures[b].pre, x[j]);
            post[j] = toolkit::density(mixtures[b].post, x[j]);
          }
        },
        settings_.model, stream);
  }

  Inference as_meant(const Cohort& cohort, const std::vector<NormalMixture>& mixtures,
                     RandomStream& stream) const {
    const auto& x = cohort.measurements;
    Matrix log_ratios(x.rows(), x.cols());
    for (std::size_t j = 0; j < x.rows(); ++j)
      for (std::size_t b = 0; b < x.cols(); ++b)
        log_ratios(j, b) = toolkit::log_density(mixtures[b].post, x(j, b)) -
                           toolkit::log_density(mixtures[b].pre, x(j, b));
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
