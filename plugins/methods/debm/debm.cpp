// DEBM, the discriminative event-based model: README.md.

#include <algorithm>
#include <cmath>

#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"
#include "tempo/toolkit/bias_corrected_mixtures.hpp"
#include "tempo/toolkit/central_order.hpp"
#include "tempo/toolkit/doubtful_values.hpp"
#include "tempo/toolkit/most_likely_stage.hpp"

namespace tempo {
namespace {

using toolkit::Fidelity;

struct DebmSettings {
  explicit DebmSettings(Parameters& keys) {
    const auto fidelity = toolkit::read_fidelity(keys);
    full_descent =
        keys.flag("full_descent", fidelity == Fidelity::repaired,
                  "true: the order of least cost (paper default: false, the order of the "
                  "mixing fractions with one corrective swap)");
    fit = toolkit::read_mixture_fit(keys, fidelity);
  }

  toolkit::MixtureFitSettings fit;
  bool full_descent = true;
};

class Debm final : public InferenceMethod {
 public:
  explicit Debm(const DebmSettings& settings) : settings_(settings) {}

 private:
  Inference do_fit(const Cohort& given, RandomStream& stream) const override {
    const auto cohort = toolkit::believed(given, settings_.fit.fidelity);
    const std::size_t J = cohort.participant_count(), B = cohort.biomarker_count();
    const bool paper = settings_.fit.fidelity == Fidelity::paper;
    auto fit = toolkit::fit_bias_corrected_mixtures(cohort, settings_.fit);

    Matrix p(J, B), log_odds(J, B);  // that event b has happened in j; NaN where missing
    for (std::size_t j = 0; j < J; ++j)
      for (std::size_t b = 0; b < B; ++b) {
        const double x = cohort.measurements(j, b);
        log_odds(j, b) = toolkit::log_odds_post(fit.mixtures[b], x);
        p(j, b) = paper ? toolkit::posterior(fit.mixtures[b], x, kAdded)
                        : 1.0 / (1.0 + std::exp(-log_odds(j, b)));
      }

    bool swapped = false;
    const auto order = central_order(p, fit, stream, swapped);
    Inference inference;
    inference.event_scores.resize(B);
    for (std::size_t i = 0; i < B; ++i) inference.event_scores[order[i]] = static_cast<double>(i);
    if (paper) {
      inference.stages = toolkit::stages_by_probabilities(p, order);
    } else {
      auto staging = toolkit::stages_by_log_ratios(log_odds, order);
      inference.stages = std::move(staging.stages);
      inference.stage_posterior = std::move(staging.posterior);
    }
    inference.diagnostics = {{"likelihood_evaluations", static_cast<double>(fit.evaluations)},
                             {"rounds", static_cast<double>(fit.rounds)}};
    if (!settings_.full_descent) inference.diagnostics["corrective_swaps"] = swapped ? 1.0 : 0.0;
    inference.warnings = std::move(fit.warnings);
    toolkit::warn_of_doubtful_values(given, toolkit::far_values_with(settings_.fit.fidelity),
                                     inference);
    return inference;
  }

  /// Equal keys: by column as published, by lot as meant.
  std::vector<std::size_t> central_order(const Matrix& p, const toolkit::MixtureFit& fit,
                                         RandomStream& stream, bool& swapped) const {
    std::vector<std::size_t> ties;
    if (settings_.fit.fidelity == Fidelity::repaired) ties = stream.permutation(p.cols());
    std::vector<double> keys;
    if (settings_.full_descent) {
      for (const double mean : toolkit::column_means(p)) keys.push_back(-mean);
      return toolkit::order_by(keys, ties);
    }
    for (const auto& mixture : fit.mixtures) keys.push_back(mixture.mix);
    auto order = toolkit::order_by(keys, ties);
    swapped = toolkit::apply_best_adjacent_swap(p, order);
    return order;
  }

  static constexpr double kAdded = 1e-100;  // paper: to the mixture's density

  DebmSettings settings_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::InferenceMethod, tempo::Debm, tempo::DebmSettings,
             {.id = "debm",
              .version = "1.1.0",
              .licence = "MIT",
              .summary = "discriminative event-based model: mixtures, then one central order",
              .source = "Venkatraghavan et al. 2019, NeuroImage 186, 518-532",
              .labels = tempo::LabelUse::fit,
              .missing = tempo::MissingData::marginal});
