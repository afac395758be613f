// UCL GMM: the event-based model on mixtures that move apart: README.md.

#include <algorithm>
#include <cmath>
#include <utility>

#include "event_based_model.hpp"
#include "most_likely_stage.hpp"
#include "separating_mixtures.hpp"
#include "tempo/plugin.hpp"

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

/// Derivative with respect to the index, one-sided at the ends.
std::vector<double> differences(const std::vector<double>& values) {
  const std::size_t n = values.size();
  std::vector<double> out(n);
  out[0] = values[1] - values[0];
  out[n - 1] = values[n - 1] - values[n - 2];
  for (std::size_t i = 1; i + 1 < n; ++i) out[i] = (values[i + 1] - values[i - 1]) / 2.0;
  return out;
}

/// The value that stands for a missing one as published: about where both densities are equal,
/// found as the sharpest bend of |pre - post| on a grid over the observed values, the median of
/// equals.
double undecided_value(const NormalMixture& mixture, const std::vector<double>& observed) {
  constexpr std::size_t kPoints = 1000;
  const auto [least, most] = std::minmax_element(observed.begin(), observed.end());
  const auto point = [&, low = *least, width = *most - *least](std::size_t i) {
    return low + width * static_cast<double>(i) / static_cast<double>(kPoints - 1);
  };
  std::vector<double> distance;
  for (std::size_t i = 0; i < kPoints; ++i)
    distance.push_back(std::abs(toolkit::density(mixture.pre, point(i)) -
                                toolkit::density(mixture.post, point(i))));
  const auto bend = differences(differences(distance));
  const double sharpest = *std::max_element(bend.begin(), bend.end());
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < kPoints; ++i)
    if (bend[i] == sharpest) places.push_back(i);
  return point(places[places.size() / 2]);
}

class UclGmm final : public InferenceMethod {
 public:
  explicit UclGmm(const UclGmmSettings& settings) : settings_(settings) {}

 private:
  Inference do_fit(const Cohort& cohort, RandomStream& stream) const override {
    const auto fit = fit_separating_mixtures(cohort, settings_.fit);
    auto inference = settings_.model.fidelity == Fidelity::paper
                         ? as_published(cohort, fit.mixtures, stream)
                         : as_meant(cohort, fit.mixtures, stream);
    inference.diagnostics["likelihood_evaluations"] = static_cast<double>(fit.evaluations);
    inference.warnings.insert(inference.warnings.begin(), fit.warnings.begin(), fit.warnings.end());
    return inference;
  }

  Inference as_published(const Cohort& cohort, const std::vector<NormalMixture>& mixtures,
                         RandomStream& stream) const {
    const std::size_t J = cohort.participant_count(), B = cohort.biomarker_count();
    Matrix y(J, B), n(J, B);
    for (std::size_t b = 0; b < B; ++b) {
      const double instead = undecided_value(mixtures[b], toolkit::values_of(cohort, b).pooled);
      for (std::size_t j = 0; j < J; ++j) {
        const double measured = cohort.measurements(j, b);
        const double x = std::isnan(measured) ? instead : measured;
        y(j, b) = toolkit::density(mixtures[b].post, x);
        n(j, b) = toolkit::density(mixtures[b].pre, x);
      }
    }
    toolkit::OrderLikelihood likelihood(y, n, toolkit::kPublishedFloor);
    const auto search = search_as_published(likelihood, settings_.model.search, stream);
    auto inference = toolkit::inference_of(search);
    inference.stages = toolkit::stages_by_products(
        y, n, toolkit::staging_order(search, settings_.model.stage_with));
    return inference;
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
     .version = "1.1.0",
     .licence = "MIT",
     .summary = "event-based model on two normals that move apart from the groups' moments",
     .source = "Firth et al. 2020, Alzheimer's & Dementia 16(7), 965-973; Fonteijn et al. "
               "2012, NeuroImage 60(3), 1880-1889",
     .labels = tempo::LabelUse::fit,
     .missing = tempo::MissingData::marginal});
