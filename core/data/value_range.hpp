#pragma once

#include <algorithm>
#include <cmath>
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
  /// Where all have one sign, it is so by their logarithms, too: a larger unit leaves every value
  /// close to zero.
  bool is_far(double x) const {
    if (is_beyond_margin(x)) return true;
    if (high < 0.0) return ValueRange{-high, -low}.is_far(-x);
    return low > 0.0 && x > 0.0 &&
           ValueRange{std::log(low), std::log(high)}.is_beyond_margin(std::log(x));
  }

 private:
  bool is_beyond_margin(double x) const {
    const double margin = (high - low) / 2.0;
    return !(x >= low - margin && x <= high + margin);
  }
};

}  // namespace tempo
