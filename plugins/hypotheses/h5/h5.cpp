// Hypothesis 5: ranked events, continuous stages, sigmoid measurements: README.md.

#include "tempo/composed_process.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

class Hypothesis5 final : public ComposedProcess {
 public:
  Hypothesis5(const NoSettings&, const ProcessContext& context)
      : ComposedProcess({.event_times = permutation_times(),
                         .stage_prior = fixed_part("beta", {{"alpha", 5.0}, {"beta", 2.0}}),
                         .measurement_model = fixed_part("sigmoid", {{"minimum_slope", 1.0}})},
                        context) {}
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::Hypothesis5, tempo::NoSettings,
             {.id = "h5",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "ranked events, continuous stages, sigmoid measurements",
              .source = "Hao & Austerweil (CHIL 2026), hypothesis 5"});
