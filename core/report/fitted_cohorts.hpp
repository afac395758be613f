#pragma once

#include <string>
#include <vector>

#include "engine/store.hpp"
#include "report/analysis.hpp"

namespace tempo {

/// The real cohorts of a run with their fits that came to something; those that are still to be made
/// or have failed are counted. Replicates go to the fit that they are replicates of.
std::vector<FittedCohort> fitted_cohorts(Store& store);

/// Keeps the fits of these methods, or with these names as tables have them (`tempo on h8`).
/// @return what is neither, in the order given
std::vector<std::string> keep_fits(const std::vector<std::string>& wanted,
                                   std::vector<FittedCohort>& cohorts);

}  // namespace tempo
