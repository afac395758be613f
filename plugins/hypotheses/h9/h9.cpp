// Hypothesis 9: noisy continuous event times, continuous stages, normal measurements: README.md.

#include "tempo/composed_process.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

class Hypothesis9 final : public ComposedProcess {
 public:
  Hypothesis9(const NoSettings&, const ProcessContext& context)
      : ComposedProcess({.event_times = beta_times(2.0, 2.0, 0.05),
                         .stage_prior = fixed_part("beta", {{"alpha", 5.0}, {"beta", 2.0}}),
                         .measurement_model = fixed_part("ebm_normal")},
                        context) {}
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::Hypothesis9, tempo::NoSettings,
             {.id = "h9",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "noisy continuous event times, continuous stages, normal measurements",
              .source = "Hao & Austerweil (CHIL 2026), hypothesis 9"});
