// A metric whose scores can be told by looking: 1 where the first event was found, or one of as
// many as its setting says.

#include <algorithm>

#include "tempo/fit_metric.hpp"
#include "tempo/order.hpp"
#include "tempo/plugin.hpp"

namespace tempo::test {
namespace {

struct FirstEventSettings {
  explicit FirstEventSettings(Parameters& keys)
      : among(keys.integer("among", 1, at_least_one, "events found first that may be it")) {}
  std::int64_t among;
};

class FirstEvent final : public FitMetric {
 public:
  explicit FirstEvent(const FirstEventSettings& settings)
      : FitMetric({.title = "first event found", .better = Better::higher, .decimals = 2}),
        among_(static_cast<std::size_t>(settings.among)) {}

 private:
  double do_score(const Inference& found, const SimulatedCohort& cohort) const override {
    const auto order = sequence_by_score(found.event_scores);
    for (std::size_t i = 0; i < std::min(among_, order.size()); ++i)
      if (cohort.truth.event_ranks[order[i]] == 1) return 1.0;
    return 0.0;
  }

  std::size_t among_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::FitMetric, tempo::test::FirstEvent, tempo::test::FirstEventSettings,
             {.id = "first_event",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "whether the first event was found",
              .source = "unpublished"});
