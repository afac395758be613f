// Hypothesis 3: ranked events, uniform stages, normal measurements: README.md.

#include "tempo/composed_process.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

class Hypothesis3 final : public ComposedProcess {
 public:
  Hypothesis3(const NoSettings&, const ProcessContext& context)
      : ComposedProcess({.event_times = permutation_times(),
                         .stage_prior = fixed_part("uniform", {{"concentration", 100.0}}),
                         .measurement_model = fixed_part("ebm_normal")},
                        context) {}
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::Hypothesis3, tempo::NoSettings,
             {.id = "h3",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "ranked events, uniform stages, normal measurements",
              .source = "Hao & Austerweil (CHIL 2026), hypothesis 3"});
