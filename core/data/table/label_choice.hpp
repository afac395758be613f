#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "data/cohort_table.hpp"
#include "data/table/input.hpp"
#include "data/table/visits.hpp"

namespace tempo {

/// Participants by diagnosis.
using LabelCounts = std::map<std::string, std::size_t>;

/// `'AD': 4, 'CN': 1`
std::string in_words(const LabelCounts& counts);

/// Leaves out the participants whose diagnosis `drop` names and labels the rest. Where labels are
/// needed, a diagnosis that the description does not name is a problem.
/// @param out  gets those left out, and diagnoses of the description that no participant has
void choose_labels(const VisitTable& table, const TableInput& input, Selection& selection,
                   CohortTable& out);

}  // namespace tempo
