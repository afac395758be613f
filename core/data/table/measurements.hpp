#pragma once

#include "data/cohort_table.hpp"
#include "data/table/input.hpp"
#include "data/table/numbers.hpp"
#include "data/table/visits.hpp"

namespace tempo {

/// Asks whether a point or comma parts thousands or decimals where nobody can tell: all values of a
/// biomarker that have one have three digits behind it, and others have none. Where the description
/// says which point is the decimal one, that is a note.
/// @return by source, whether it was asked
std::vector<bool> ask_about_thousands(const VisitTable& table, const TableInput& input,
                                      CohortTable& out);

/// Reads what looks censored (`>1700`) among the selected, as the description's policy has it;
/// whatever else is no number is a fault.
/// @param asked  by source, whether its points and commas were asked about already
/// @param out    gets the counts of censored values
void read_odd_cells(VisitTable& table, const Selection& selection, const TableInput& input,
                    const TableNumbers& numbers, const std::vector<bool>& asked, CohortTable& out);

/// Where the values of each biomarker come from, by the biomarkers' names: those asked for, or one
/// of each source. A biomarker that a long table lacks is a problem.
std::vector<BiomarkerSource> biomarker_sources(const VisitTable& table, const TableInput& input);

/// The sources that look like no biomarkers, each with why: by name, or by their values.
std::vector<std::string> doubtful_sources(const VisitTable& table);

}  // namespace tempo
