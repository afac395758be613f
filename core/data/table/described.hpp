#pragma once

#include "data/cohort_table.hpp"
#include "data/table/input.hpp"
#include "data/table/numbers.hpp"
#include "data/table/visits.hpp"

namespace tempo {

/// Reads the columns that the description wants described, as the selected visits have them. A
/// column holds numbers if all its cells that are not missing do; else all of it are levels.
/// @param selection  of the cohort's participants
void describe_columns(const VisitTable& table, const TableInput& input, const TableNumbers& numbers,
                      const Selection& selection, CohortTable& out);

}  // namespace tempo
