#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "portable_math.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::toolkit {

/// Draws an index with the chances of these logarithms.
/// @param temperature  the chances to the power 1 / temperature
inline std::size_t draw_index(std::span<const double> logs, double temperature,
                              RandomStream& stream) {
  const double top = *std::max_element(logs.begin(), logs.end());
  double total = 0.0;
  for (const double value : logs) total += portable_exp((value - top) / temperature);
  double left = stream.uniform() * total;
  std::size_t drawn = 0;
  while (drawn + 1 < logs.size() &&
         (left -= portable_exp((logs[drawn] - top) / temperature)) >= 0.0)
    ++drawn;
  return drawn;
}

}  // namespace tempo::toolkit
