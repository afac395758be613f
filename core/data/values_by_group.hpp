#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "tempo/cohort.hpp"

namespace tempo {

/// Values of one biomarker, ascending, missing ones skipped: of the healthy, of the diseased.
using ValuesByGroup = std::array<std::vector<double>, 2>;

/// @param cohort  with labels
ValuesByGroup values_by_group(const Cohort& cohort, std::size_t b);

}  // namespace tempo
