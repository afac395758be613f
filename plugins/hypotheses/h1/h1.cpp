// Hypothesis 1: ranked events, Dirichlet-multinomial stages, normal measurements: README.md.

#include "tempo/composed_process.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

class Hypothesis1 final : public ComposedProcess {
 public:
  Hypothesis1(const NoSettings&, const ProcessContext& context)
      : ComposedProcess(
            {.event_times = permutation_times(),
             .stage_prior = fixed_part("dirichlet_multinomial", {{"low", 0.35}, {"high", 4.25}}),
             .measurement_model = fixed_part("ebm_normal")},
            context) {}
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::Hypothesis1, tempo::NoSettings,
             {.id = "h1",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "ranked events, Dirichlet-multinomial stages, normal measurements",
              .source = "Hao & Austerweil (CHIL 2026), hypothesis 1"});
