#pragma once

#include <string>
#include <vector>

#include "analysis/staging.hpp"
#include "data/cohort_table.hpp"
#include "tempo/cohort.hpp"

namespace tempo {

/// A participant's row in the answer of `tempo stage`.
struct StagingRow {
  std::string participant;
  Staged staged;
};

/// A row per new patient in their order, then one per participant who was left out. The notes also
/// say which values are far from all of the reference's, and why a participant was left out.
/// @param far  [J] FarValues::biomarkers of the patients
std::vector<StagingRow> staging_rows(const Cohort& patients, const StagedPatients& found,
                                     const std::vector<std::vector<std::string>>& far,
                                     const std::vector<CohortTable::LeftOut>& left_out);

/// As CSV. Columns: participant, stage, mode, second_mode, mean, median, low, high, note.
/// @param has_subtypes  whether there are columns for them
std::string staging_csv(const std::vector<StagingRow>& rows, bool has_subtypes = false);

/// As JSON: `how`, `stages` and `warnings`.
/// @param how  by what patients were staged, in words
std::string staging_json(const std::vector<StagingRow>& rows,
                         const std::vector<std::string>& warnings, const std::string& how);

}  // namespace tempo
