#pragma once

#include <string>
#include <vector>

#include "analysis/plausibility.hpp"
#include "report/table.hpp"

namespace tempo {

/// Where the distributions of the simulated cohorts' biomarkers are from.
enum class ParametersAre {
  known,
  estimated,  ///< from the cohort itself, which moves p either way
};

/// A cohort under each hypothesis, the most plausible first.
/// @param cohort      what it is called
/// @param not_judged  hypotheses for which distributions were estimated that are not theirs: shown
/// without numbers
Table plausibility_table(const std::string& cohort, std::vector<Plausibility> found,
                         const std::vector<std::string>& not_judged, ParametersAre parameters);

}  // namespace tempo
