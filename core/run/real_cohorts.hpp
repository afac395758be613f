#pragma once

#include <optional>
#include <vector>

#include "results/stored_cohort.hpp"
#include "study/experiment.hpp"

namespace tempo {

/// The real cohorts of a study, a point each, with the biomarkers that do not tell healthy from
/// diseased in them.
std::vector<StoredCohort> stored_cohorts(const Study& study);

/// What new patients can be staged by later, whether or not the files of the cohort are still
/// there; absent for a sweep, and where there is no real cohort.
std::optional<CohortContent> cohort_content(const Study& study);

}  // namespace tempo
