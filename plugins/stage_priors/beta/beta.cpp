// Continuous stages, k = B * Beta(alpha, beta): README.md.

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <memory>
#include <vector>

#include "tempo/plugin.hpp"
#include "tempo/stage_prior.hpp"

namespace tempo {
namespace {

struct BetaSettings {
  explicit BetaSettings(Parameters& keys)
      : alpha(keys.number("alpha", 5.0, positive, "first shape of k / B")),
        beta(keys.number("beta", 2.0, positive, "second shape of k / B")) {}

  double alpha;  ///< > 0, dimensionless
  double beta;   ///< > 0, dimensionless
};

/// The published lower bound of a diseased participant's stage: keeps it above the healthy's 0.
constexpr double kSmallestStage = 1e-8;

class BetaLaw final : public ContinuousStageLaw {
 public:
  explicit BetaLaw(const BetaSettings& settings) : settings_(settings) {}

 private:
  std::vector<double> do_cumulative(std::size_t biomarkers,
                                    std::span<const double> stages) const override {
    const auto B = static_cast<double>(biomarkers);
    std::vector<double> out;
    for (const double stage : stages)
      out.push_back(stage < kSmallestStage ? 0.0
                    : stage >= B           ? 1.0
                                 : boost::math::ibeta(settings_.alpha, settings_.beta, stage / B));
    return out;
  }

  BetaSettings settings_;
};

class Beta final : public StagePrior {
 public:
  explicit Beta(const BetaSettings& settings)
      : StagePrior(std::make_unique<BetaLaw>(settings)), settings_(settings) {}

 private:
  void do_draw(std::size_t biomarkers, RandomStream& stream,
               std::span<double> stages) const override {
    const auto B = static_cast<double>(biomarkers);
    for (auto& stage : stages)
      stage = std::clamp(B * stream.beta(settings_.alpha, settings_.beta), kSmallestStage, B);
  }

  BetaSettings settings_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::StagePrior, tempo::Beta, tempo::BetaSettings,
             {.id = "beta",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "continuous stages B * Beta(alpha, beta)",
              .source = "Hao & Austerweil (CHIL 2026), hypotheses 5 to 9"});
