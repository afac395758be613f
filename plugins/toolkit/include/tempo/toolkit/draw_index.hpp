#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "portable_math.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::toolkit {

/// Draws an index in proportion to exp(logs / temperature), the same bits on every CPU.
/// @param logs         of the chances but for a common constant, in nats; not empty
/// @param temperature  > 0
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
