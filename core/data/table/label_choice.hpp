#pragma once

#include "data/cohort_table.hpp"
#include "data/table/input.hpp"
#include "data/table/visits.hpp"

namespace tempo {

/// Leaves out the participants whose diagnosis `drop` names and labels the rest. Where labels are
/// needed, a diagnosis that the description does not name is a problem.
/// @param out  gets those left out, and diagnoses of the description that no participant has
void choose_labels(const VisitTable& table, const TableInput& input, Selection& selection,
                   CohortTable& out);

}  // namespace tempo
