#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "portable_math.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::bayes {

/// Draws an index with the chances of these logarithms.
/// @param heat  the chances to the power 1 / heat
inline std::size_t draw_index(std::span<const double> logs, double heat, RandomStream& stream) {
  const double top = *std::max_element(logs.begin(), logs.end());
  double total = 0.0;
  for (const double value : logs) total += toolkit::portable_exp((value - top) / heat);
  double left = stream.uniform() * total;
  std::size_t drawn = 0;
  while (drawn + 1 < logs.size() &&
         (left -= toolkit::portable_exp((logs[drawn] - top) / heat)) >= 0.0)
    ++drawn;
  return drawn;
}

}  // namespace tempo::bayes
