// Hypothesis 6: ranked events, continuous stages, normal measurements: README.md.

#include "tempo/composed_process.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

class Hypothesis6 final : public ComposedProcess {
 public:
  Hypothesis6(const NoSettings&, const ProcessContext& context)
      : ComposedProcess({.event_times = permutation_times(),
                         .stage_prior = fixed_part("beta", {{"alpha", 5.0}, {"beta", 2.0}}),
                         .measurement_model = fixed_part("ebm_normal")},
                        context) {}
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::Hypothesis6, tempo::NoSettings,
             {.id = "h6",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "ranked events, continuous stages, normal measurements",
              .source = "Hao & Austerweil (CHIL 2026), hypothesis 6"});
