// Hypothesis 2: ranked events, Dirichlet-multinomial stages, non-normal measurements: README.md.

#include "tempo/composed_process.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

class Hypothesis2 final : public ComposedProcess {
 public:
  Hypothesis2(const NoSettings&, const ProcessContext& context)
      : ComposedProcess(
            {.event_times = permutation_times(),
             .stage_prior = fixed_part("dirichlet_multinomial", {{"low", 0.35}, {"high", 4.25}}),
             .measurement_model = fixed_part("ebm_non_normal", {{"noise", 0.2}, {"clip", 5.0}})},
            context) {}
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::Hypothesis2, tempo::NoSettings,
             {.id = "h2",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "ranked events, Dirichlet-multinomial stages, non-normal measurements",
              .source = "Hao & Austerweil (CHIL 2026), hypothesis 2"});
