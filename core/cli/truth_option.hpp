#pragma once

#include <string>
#include <vector>

#include "analysis/fitted_cohorts.hpp"

namespace tempo::cli {

/// Gives cohorts the truth of the file of --truth. @throws InputError where that is another
/// cohort's
void add_truth(const std::string& file, std::vector<FittedCohort>& cohorts);

}  // namespace tempo::cli
