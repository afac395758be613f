#pragma once

#include <cmath>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "tempo/cohort.hpp"

namespace tempo {

/// A value and how often it occurs.
using Count = std::pair<double, std::size_t>;

/// The values of a biomarker, ascending, missing ones skipped.
inline std::vector<Count> counts_of(const Cohort& cohort, std::size_t b) {
  std::map<double, std::size_t> counts;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (const double x = cohort.measurements(j, b); !std::isnan(x)) ++counts[x];
  return {counts.begin(), counts.end()};
}

}  // namespace tempo
