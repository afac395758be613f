// Reference ranges: a biomarker that is abnormal in many patients changed early.
//   range of b  from one quantile of the healthy participants' values to another
//   score of b  minus the number of patients whose value is outside: the smaller, the earlier
//   stage of j  the number of the participant's values that are outside

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"
#include "tempo/quantile.hpp"

namespace {

struct RangeSettings {
  explicit RangeSettings(tempo::Parameters& keys)  // reading a key declares it
      : coverage(keys.number("coverage", 0.95, tempo::unit_interval, "share of healthy inside")) {}
  double coverage;
};

class ReferenceRange final : public tempo::InferenceMethod {
 public:
  explicit ReferenceRange(const RangeSettings& settings) : tail_((1.0 - settings.coverage) / 2) {}

 private:
  tempo::Inference do_fit(const tempo::Cohort& cohort, tempo::RandomStream&) const override {
    const auto J = cohort.participant_count(), B = cohort.biomarker_count();
    if (std::ranges::count(cohort.diseased, 0) < 20)
      throw std::runtime_error("expected at least 20 healthy participants");
    tempo::Inference found{.event_scores = std::vector(B, 0.0), .stages = std::vector(J, 0.0)};
    for (std::size_t b = 0; b < B; ++b) {
      std::vector<double> healthy;
      for (std::size_t j = 0; j < J; ++j)
        if (!cohort.diseased[j]) healthy.push_back(cohort.measurements(j, b));
      std::ranges::sort(healthy);
      const double low = tempo::quantile(healthy, tail_);
      const double high = tempo::quantile(healthy, 1 - tail_);
      for (std::size_t j = 0; j < J; ++j) {
        if (low <= cohort.measurements(j, b) && cohort.measurements(j, b) <= high) continue;
        found.stages[j] += 1.0;
        if (cohort.diseased[j]) found.event_scores[b] -= 1.0;
      }
    }
    return found;
  }

  double tail_;  ///< share of the healthy below a range, and above it
};

}  // namespace

TEMPO_PLUGIN(tempo::InferenceMethod, ReferenceRange, RangeSettings,
             {.id = "reference_range",
              .version = "0.1.0",
              .licence = "MIT",
              .summary = "counts values outside the healthy participants' ranges",
              .source = "unpublished",
              .labels = tempo::LabelUse::fit,
              .missing = tempo::MissingData::refused});
