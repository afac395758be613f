#pragma once

#include <algorithm>
#include <limits>

namespace tempo {

/// The range of an earlier cohort's values, and whether a later value is far from it.
struct ValueRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  /// Whether x is beyond the least or the greatest by more than half of the distance between them.
  bool is_far(double x) const {
    const double margin = (high - low) / 2.0;
    return !(x >= low - margin && x <= high + margin);
  }
};

}  // namespace tempo
