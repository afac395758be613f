// Near-uniform whole stages: README.md.

#include <memory>
#include <vector>

#include "tempo/plugin.hpp"
#include "tempo/stage_prior.hpp"

namespace tempo {
namespace {

struct UniformSettings {
  explicit UniformSettings(Parameters& keys)
      : concentration(keys.number("concentration", 100.0, positive,
                                  "Dirichlet parameter of every stage; larger = more uniform")) {}

  double concentration;  ///< > 0, dimensionless
};

class UniformLaw final : public DirichletStageLaw {
 public:
  explicit UniformLaw(const UniformSettings& settings) : settings_(settings) {}

 private:
  std::vector<double> do_concentrations(std::size_t biomarkers) const override {
    return std::vector(biomarkers, settings_.concentration);
  }

  UniformSettings settings_;
};

class Uniform final : public StagePrior {
 public:
  explicit Uniform(const UniformSettings& settings)
      : StagePrior(std::make_unique<UniformLaw>(settings)) {}

 private:
  void do_draw(std::size_t biomarkers, RandomStream& stream,
               std::span<double> stages) const override {
    const auto pi = stream.dirichlet(ordinal_law()->concentrations(biomarkers));
    for (auto& stage : stages) stage = 1.0 + static_cast<double>(stream.categorical(pi));
  }
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::StagePrior, tempo::Uniform, tempo::UniformSettings,
             {.id = "uniform",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "whole stages 1..B, nearly equally likely",
              .source = "Hao & Austerweil (CHIL 2026), hypotheses 3 and 4"});
