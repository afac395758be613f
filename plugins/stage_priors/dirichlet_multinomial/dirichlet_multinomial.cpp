// Dirichlet-multinomial stages, most likely in the middle of the disease: README.md.

#include <algorithm>
#include <cmath>
#include <memory>
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
class Bump final : public DirichletStageLaw {
 public:
  explicit Bump(const DirichletMultinomialSettings& settings) : settings_(settings) {}

 private:
  std::vector<double> do_concentrations(std::size_t biomarkers) const override {
    const auto& [low, high] = settings_;
    const auto B = static_cast<double>(biomarkers);
    std::vector<double> alpha(biomarkers);
    for (std::size_t i = 0; i < biomarkers; ++i) {
      const double z = (static_cast<double>(i) - (B - 1.0) / 2.0) / (B / 6.0);
      alpha[i] = std::exp(-z * z / 2.0);
    }
    const auto [smallest, largest] = std::ranges::minmax(alpha);
    for (auto& value : alpha)
      value = largest > smallest ? low + (high - low) * (value - smallest) / (largest - smallest)
                                 : high;
    return alpha;
  }

  DirichletMultinomialSettings settings_;
};

class DirichletMultinomial final : public StagePrior {
 public:
  explicit DirichletMultinomial(const DirichletMultinomialSettings& settings)
      : StagePrior(std::make_unique<Bump>(settings)) {}

 private:
  void do_draw(std::size_t biomarkers, RandomStream& stream,
               std::span<double> stages) const override {
    const auto pi = stream.dirichlet(ordinal_law()->concentrations(biomarkers));
    for (auto& stage : stages) stage = 1.0 + static_cast<double>(stream.categorical(pi));
  }
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::StagePrior, tempo::DirichletMultinomial, tempo::DirichletMultinomialSettings,
             {.id = "dirichlet_multinomial",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "whole stages 1..B, most participants in the middle",
              .source = "Hao & Austerweil (CHIL 2026), hypotheses 1 and 2"});
