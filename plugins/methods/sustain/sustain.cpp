// SuStaIn: subtypes and stages from densities before and after events, as published and repaired:
// README.md.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "published_search.hpp"
#include "repaired_chain.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"
#include "tempo/toolkit/doubtful_values.hpp"
#include "tempo/toolkit/published_relabelling.hpp"
#include "tempo/toolkit/repaired_relabelling.hpp"
#include "tempo/toolkit/separating_mixtures.hpp"
#include "tempo/toolkit/subtype_answer.hpp"

namespace tempo {
namespace {

using toolkit::Fidelity;

constexpr long kMostRelabellings = 1500;
constexpr double kPublishedTolerance = 1e-6;

enum class Distributions { gmm, kde };

struct SustainSettings {
  explicit SustainSettings(Parameters& keys) : fidelity(toolkit::read_fidelity(keys)) {
    const bool paper = fidelity == Fidelity::paper;
    distributions = keys.choice("distributions", "gmm", {"gmm", "kde"},
                                "before and after an event: normals as ucl_gmm fits them, or "
                                "kernel densities as ucl_kde does") == "kde"
                        ? Distributions::kde
                        : Distributions::gmm;
    published.subtypes = static_cast<std::size_t>(keys.integer(
        "subtypes", 3, {.low = 1, .high = 20}, "number of orders that are looked for"));
    published.starts = keys.integer(
        "starts", paper ? published.starts : repaired.starts, {.low = 1, .high = 1e6},
        "random starts of each search (paper default: 25), or annealed chains, of which the "
        "likeliest goes on");
    published.iterations = keys.integer(
        "iterations", paper ? published.iterations : repaired.iterations, {.low = 2, .high = 1e9},
        "samples of the chain (paper default: 100000), or sweeps of the likeliest");
    repaired = {published.subtypes, published.starts, published.iterations};
  }

  Fidelity fidelity;
  Distributions distributions = Distributions::gmm;
  sustain::PublishedSettings published;
  sustain::RepairedSettings repaired;
};

class Sustain final : public InferenceMethod {
 public:
  explicit Sustain(const SustainSettings& settings) : settings_(settings) {}

 private:
  Inference do_fit(const Cohort& given, RandomStream& stream) const override {
    const auto cohort = toolkit::believed(given, settings_.fidelity);
    auto inference = settings_.fidelity == Fidelity::paper ? as_published(cohort, stream)
                                                           : as_meant(cohort, stream);
    toolkit::warn_of_doubtful_values(given, toolkit::far_values_with(settings_.fidelity),
                                     inference);
    const auto diseased = std::count(given.diseased.begin(), given.diseased.end(), 1);
    toolkit::warn_of_too_many_subtypes(settings_.repaired.subtypes,
                                       static_cast<std::size_t>(diseased), given.biomarker_count(),
                                       inference);
    return inference;
  }

  Inference as_published(const Cohort& cohort, RandomStream& stream) const {
    if (settings_.distributions == Distributions::kde) {
      const auto densities = toolkit::relabelled_densities(cohort, kMostRelabellings);
      return sustain::published_search(toolkit::cell_densities(cohort, densities),
                                       settings_.published, stream);
    }
    auto [mixtures, evaluations, warnings] = fitted(cohort);
    const auto densities = toolkit::densities_of(std::move(mixtures));
    auto inference = sustain::published_search(toolkit::cell_densities(cohort, densities),
                                               settings_.published, stream);
    add(std::move(warnings), inference);
    return inference;
  }

  Inference as_meant(const Cohort& cohort, RandomStream& stream) const {
    if (settings_.distributions == Distributions::kde) {
      auto [log_ratios, refits, warnings] = toolkit::relabel_as_meant(cohort, kMostRelabellings);
      auto inference = sustain::repaired_chain(cohort, log_ratios, settings_.repaired, stream);
      add(std::move(warnings), inference);
      return inference;
    }
    auto [mixtures, evaluations, warnings] = fitted(cohort);
    auto inference = sustain::repaired_chain(cohort, toolkit::log_ratios_of(cohort, mixtures),
                                             settings_.repaired, stream);
    add(std::move(warnings), inference);
    return inference;
  }

  static void add(std::vector<std::string> warnings, Inference& inference) {
    std::move(warnings.begin(), warnings.end(), std::back_inserter(inference.warnings));
  }

  toolkit::SeparatingFit fitted(const Cohort& cohort) const {
    toolkit::SeparatingFitSettings fit{.fidelity = settings_.fidelity};
    if (settings_.fidelity == Fidelity::paper) fit.tolerance = kPublishedTolerance;
    return toolkit::fit_separating_mixtures(cohort, fit);
  }

  SustainSettings settings_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(
    tempo::InferenceMethod, tempo::Sustain, tempo::SustainSettings,
    {.id = "sustain",
     .version = "1.0.2",
     .licence = "MIT",
     .summary = "subtypes: several orders over given densities, split by maximum likelihood",
     .source = "Young et al. 2018, Nature Communications 9, 4273; Aksman et al. 2021, SoftwareX "
               "16, 100811 (program pySuStaIn)",
     .labels = tempo::LabelUse::fit,
     .missing = tempo::MissingData::marginal});
