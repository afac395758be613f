#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace tempo {

/// The value below which a share of sorted values lies, by linear interpolation between neighbours
/// (type 7 of Hyndman & Fan 1996, The American Statistician 50(4), 361-365).
/// @param sorted  ascending, at least one
/// @param share   in [0, 1]
inline double quantile(std::span<const double> sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace tempo
