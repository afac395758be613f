#pragma once

#include <algorithm>
#include <limits>

namespace tempo {

/// Where values of an earlier cohort lie, and whether a later one is of their like.
struct ValueRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  /// Beyond the least or the greatest by more than half of what lies between these.
  bool is_far(double x) const {
    const double margin = (high - low) / 2.0;
    return !(x >= low - margin && x <= high + margin);
  }
};

}  // namespace tempo
