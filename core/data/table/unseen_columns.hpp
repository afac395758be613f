#pragma once

#include <vector>

#include "data/table/input.hpp"
#include "data/table/numbers.hpp"
#include "data/table/visits.hpp"

namespace tempo {

/// Columns whose values a cohort does not show as they are: those that are divided, divide or lose
/// themselves in a logarithm, covariates that are numbers, and numbers that are described beside
/// the cohort; as biomarkers of a cohort of the selected participants, so that what is odd about
/// them can be said. Call before make_cohort.
Cohort unseen_columns(const VisitTable& table, const TableInput& input, const TableNumbers& numbers,
                      const Selection& selection, const std::vector<BiomarkerSource>& biomarkers);

}  // namespace tempo
