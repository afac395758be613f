// Hypothesis 8: noisy continuous event times, continuous stages, sigmoid measurements: README.md.

#include "tempo/composed_process.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

class Hypothesis8 final : public ComposedProcess {
 public:
  Hypothesis8(const NoSettings&, const ProcessContext& context)
      : ComposedProcess({.event_times = beta_times(2.0, 2.0, 0.05),
                         .stage_prior = fixed_part("beta", {{"alpha", 5.0}, {"beta", 2.0}}),
                         .measurement_model = fixed_part("sigmoid", {{"minimum_slope", 1.0}})},
                        context) {}
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::Hypothesis8, tempo::NoSettings,
             {.id = "h8",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "noisy continuous event times, continuous stages, sigmoid measurements",
              .source = "Hao & Austerweil (CHIL 2026), hypothesis 8"});
