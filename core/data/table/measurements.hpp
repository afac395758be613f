#pragma once

#include "data/cohort_table.hpp"
#include "data/table/input.hpp"
#include "data/table/numbers.hpp"
#include "data/table/visits.hpp"

namespace tempo {

/// Reads what looks censored (`>1700`) among the selected, as the description's policy has it;
/// whatever else is no number is a fault.
/// @param out  gets the counts of censored values
void read_odd_cells(VisitTable& table, const Selection& selection, const TableInput& input,
                    const TableNumbers& numbers, CohortTable& out);

/// Where the values of each biomarker come from, by the biomarkers' names: those asked for, or one
/// of each source. A biomarker that a long table lacks is a problem.
std::vector<BiomarkerSource> biomarker_sources(const VisitTable& table, const TableInput& input);

/// The sources that look like no biomarkers, by name or because they have two values only.
std::vector<std::string> doubtful_sources(const VisitTable& table);

}  // namespace tempo
