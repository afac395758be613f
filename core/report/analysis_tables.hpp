#pragma once

#include <string>
#include <vector>

#include "analysis/fitted_cohorts.hpp"
#include "report/table.hpp"

namespace tempo {

/// Names of the tables of real cohorts: orders, ranks, ...
const std::vector<std::string>& analysis_tables();

/// What these tables look at.
/// @param tables  names of analysis_tables()
WantedOfFits wanted_for(const std::vector<std::string>& tables);

/// One of these tables of each cohort.
/// @param name     of analysis_tables()
/// @param cohorts  at least one, each with at least one fit, and for `recovery` with its truth
/// @param axes     as in RunResults
Table analysis_table(const std::string& name, const std::vector<FittedCohort>& cohorts,
                     const std::vector<std::string>& axes);

}  // namespace tempo
