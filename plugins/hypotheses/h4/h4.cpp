// Hypothesis 4: ranked events, uniform stages, non-normal measurements: README.md.

#include "tempo/composed_process.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

class Hypothesis4 final : public ComposedProcess {
 public:
  Hypothesis4(const NoSettings&, const ProcessContext& context)
      : ComposedProcess(
            {.event_times = permutation_times(),
             .stage_prior = fixed_part("uniform", {{"concentration", 100.0}}),
             .measurement_model = fixed_part("ebm_non_normal", {{"noise", 0.2}, {"clip", 5.0}})},
            context) {}
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::Hypothesis4, tempo::NoSettings,
             {.id = "h4",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "ranked events, uniform stages, non-normal measurements",
              .source = "Hao & Austerweil (CHIL 2026), hypothesis 4"});
