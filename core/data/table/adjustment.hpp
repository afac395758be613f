#pragma once

#include "data/cohort_table.hpp"
#include "data/table/input.hpp"
#include "data/table/numbers.hpp"
#include "data/table/visits.hpp"

namespace tempo {

/// Takes from the cohort's values what the description's covariates explain: among its own healthy
/// participants, or of later participants as the earlier cohort was adjusted. Covariates that
/// cannot be read, or differ from the earlier ones, are faults.
/// @param selection  of the cohort's participants
void adjust_for_covariates(const VisitTable& table, const TableInput& input,
                           const TableNumbers& numbers, const Selection& selection,
                           CohortTable& out);

}  // namespace tempo
