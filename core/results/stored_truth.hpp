#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tempo/cohort.hpp"

namespace tempo {

/// A cohort that a run planned fits of, and under which key its truth is kept.
struct PlannedCohort {
  std::vector<std::string> axis_values;  ///< of its point of the sweep
  std::string hypothesis;                ///< generated_by
  std::size_t number = 0;
  std::string key;  ///< PlannedFit::cohort_key
};

/// What is kept of a cohort with a truth, once for all its fits: enough to score what others find
/// in it. It has no measurements, and of the truth event times, ranks, ordinal stages
/// and subtypes.
struct StoredTruth {
  std::string key;  ///< PlannedFit::cohort_key
  SimulatedCohort cohort;
};

}  // namespace tempo
