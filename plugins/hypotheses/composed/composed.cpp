// A hypothesis whose parts are named in the experiment file: README.md.

#include "tempo/composed_process.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

struct ComposedSettings : Composition {
  explicit ComposedSettings(Parameters& keys)
      : Composition{
            .event_times = read_event_times(keys, "event_times"),
            .stage_prior = keys.part("stage_prior", InterfaceKind::stage_prior, std::nullopt,
                                     "law of the diseased participants' stages"),
            .measurement_model =
                keys.part("measurement_model", InterfaceKind::measurement_model, std::nullopt,
                          "how measurements follow from stages and event times")} {}
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::ComposedProcess, tempo::ComposedSettings,
             {.id = "composed",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "event times, stage prior and measurement model named in the experiment",
              .source = "Hao & Austerweil (CHIL 2026), the skeleton of all hypotheses"});
