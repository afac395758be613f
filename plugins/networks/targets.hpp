#pragma once

#include <cstddef>

#include "tempo/cohort.hpp"

namespace tempo::amortised {

/// When an event of a cohort happens, xi / B; ranks / B where event times are discrete.
inline float relative_time(const Truth& truth, std::size_t biomarker) {
  const auto B = static_cast<double>(truth.event_times.size());
  return static_cast<float>(truth.event_times[biomarker] / B);
}

/// What a network's score of an event is to be: its relative time where times are continuous, or
/// else (rank - 1) / (B - 1).
inline float score_target(const Truth& truth, std::size_t biomarker) {
  if (truth.continuous_events) return relative_time(truth, biomarker);
  const auto B = static_cast<double>(truth.event_times.size());
  return static_cast<float>((static_cast<double>(truth.event_ranks[biomarker]) - 1.0) / (B - 1.0));
}

}  // namespace tempo::amortised
