#pragma once

#include "data/cohort_table.hpp"
#include "data/table/input.hpp"
#include "data/table/numbers.hpp"
#include "data/table/visits.hpp"

namespace tempo {

/// Counts what the cohort lacks and does what the description asks for: refuses it, leaves out the
/// participants who lack something, or leaves cells empty. Covariates have a policy of their own;
/// later participants who lack one are left out.
/// @param selection  of the cohort's participants; shrinks with it
void handle_missing(const VisitTable& table, const TableInput& input, const TableNumbers& numbers,
                    Selection& selection, CohortTable& out);

/// Puts the mean of a biomarker where its value is missing; gross errors do not count in it. A
/// biomarker without any value is a problem.
void fill_with_means(const TableInput& input, CohortTable& out);

/// The note on measurements that were left empty; none if nothing is missing.
void note_left_empty(const MissingValues& missing, std::vector<std::string>& notes);

}  // namespace tempo
