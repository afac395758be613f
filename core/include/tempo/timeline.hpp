#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tempo/matrix.hpp"

namespace tempo {

/// Where every participant stands and when every event comes: what decides, before any noise of
/// measurement, which cells are post-event. Views only: the caller owns the values.
struct Timeline {
  std::span<const double> stages;          ///< k [J], 0 for the healthy
  std::span<const std::uint8_t> diseased;  ///< [J] 0 | 1
  std::span<const double> event_times;     ///< xi [B], same scale as k
  /// [J, B] each cell's own noisy event time (hypotheses 8, 9; rows of the healthy hold xi), or
  /// empty: every participant shares `event_times`.
  MatrixView<const double> cell_event_times;

  /// The event times [B] that count for participant j.
  std::span<const double> event_times_of(std::size_t j) const {
    return cell_event_times.empty() ? event_times : cell_event_times.row(j);
  }
  double event_time(std::size_t j, std::size_t b) const { return event_times_of(j)[b]; }
  /// A cell is post-event from k_j = xi_b on; the healthy never are.
  bool post_event(std::size_t j, std::size_t b) const {
    return diseased[j] != 0 && stages[j] >= event_time(j, b);
  }
};

}  // namespace tempo
