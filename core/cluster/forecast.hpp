#pragma once

#include <cstddef>
#include <vector>

namespace tempo {

/// Seconds by the clock until all pieces of work are done, each begun in this order by the first of
/// `jobs` workers that is free.
double wall_seconds(const std::vector<double>& pieces, std::size_t jobs);

}  // namespace tempo
