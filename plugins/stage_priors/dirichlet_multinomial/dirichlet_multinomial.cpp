// Dirichlet-multinomial stages, most likely in the middle of the disease: README.md.

#include <algorithm>
#include <cmath>
#include <vector>

#include "tempo/plugin.hpp"
#include "tempo/stage_prior.hpp"

namespace tempo {
namespace {

struct DirichletMultinomialSettings {
  explicit DirichletMultinomialSettings(Parameters& keys)
      : low(keys.number("low", 0.35, positive, "concentration of the first and last stage")),
        high(keys.number("high", 4.25, positive, "concentration of the middle stages")) {
    if (high < low) keys.complain("high", "'high' must be at least 'low'");
  }

  double low;   ///< > 0, dimensionless
  double high;  ///< >= low, dimensionless
};

/// Concentrations alpha [B] of stages 1..B: a Gaussian bump over i = 0..B-1 with centre (B-1)/2 and
/// standard deviation B/6, rescaled linearly to [low, high]. Where every stage is equally far from
/// the centre (B = 1, 2) the bump has no range to rescale: each gets `high`.
std::vector<double> bump(std::size_t biomarkers, double low, double high) {
  const auto B = static_cast<double>(biomarkers);
  std::vector<double> alpha(biomarkers);
  for (std::size_t i = 0; i < biomarkers; ++i) {
    const double z = (static_cast<double>(i) - (B - 1.0) / 2.0) / (B / 6.0);
    alpha[i] = std::exp(-z * z / 2.0);
  }
  const auto [smallest, largest] = std::ranges::minmax(alpha);
  for (auto& value : alpha)
    value =
        largest > smallest ? low + (high - low) * (value - smallest) / (largest - smallest) : high;
  return alpha;
}

class DirichletMultinomial final : public StagePrior {
 public:
  explicit DirichletMultinomial(const DirichletMultinomialSettings& settings)
      : settings_(settings) {}

 private:
  bool do_ordinal() const override { return true; }

  void do_draw(std::size_t biomarkers, RandomStream& stream,
               std::span<double> stages) const override {
    const auto pi = stream.dirichlet(bump(biomarkers, settings_.low, settings_.high));
    for (auto& stage : stages) stage = 1.0 + static_cast<double>(stream.categorical(pi));
  }

  std::optional<std::vector<double>> do_concentrations(std::size_t biomarkers) const override {
    return bump(biomarkers, settings_.low, settings_.high);
  }

  DirichletMultinomialSettings settings_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::StagePrior, tempo::DirichletMultinomial, tempo::DirichletMultinomialSettings,
             {.id = "dirichlet_multinomial",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "whole stages 1..B, most participants in the middle",
              .source = "Hao & Austerweil (CHIL 2026), hypotheses 1 and 2"});
