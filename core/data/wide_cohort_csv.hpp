#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "data/cohort_csv.hpp"
#include "tempo/cohort.hpp"
#include "tempo/problem.hpp"

namespace tempo {

// The wide CSV, in which public cohorts with subtypes are: one row per participant.
//
//   participant,ABETA,MMSE,diseased
//   0,548.7577890859213,,True
//
// Columns in any order; all but `participant` and `diseased` are biomarkers. Fields are those of
// the long CSV (cohort_csv.hpp).

/// Reads a wide CSV with labels. Biomarkers and participants are ordered as those of a long CSV
/// are, and faults are reported as its are.
/// @param name  what places call the text
CohortFile read_wide_cohort_csv_text(std::string_view text, const std::string& name,
                                     Problems& problems);

/// Writes the cohort as a wide CSV: participants in their order, biomarkers by name, missing cells
/// empty, numbers with all digits that they need.
/// @throws ShapeError, NumericError if the cohort is inconsistent or has no labels; ShapeError if a
///   biomarker is called like one of the other columns; Error if the file cannot be written
void write_wide_cohort_csv(const Cohort& cohort, const std::filesystem::path& path);

}  // namespace tempo
