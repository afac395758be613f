#pragma once

#include "data/cohort_table.hpp"
#include "data/table/input.hpp"
#include "data/table/numbers.hpp"
#include "data/table/visits.hpp"

namespace tempo {

/// Selects one visit of each participant: the only, the first, the last or the baseline visit, as
/// the description asks.
/// @param out  gets those without such a visit, and how many visits were left out
Selection choose_visits(const VisitTable& table, const TableInput& input,
                        const TableNumbers& numbers, CohortTable& out);

}  // namespace tempo
