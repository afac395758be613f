#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/labels.hpp"
#include "data/missing_values.hpp"
#include "tempo/cohort.hpp"
#include "tempo/problem.hpp"

namespace tempo {

// The long CSV: one row per participant and biomarker.
//
//   participant,biomarker,measurement,diseased
//   0,ABETA,548.7577890859213,True
//   0,MMSE,,True
//
// - Columns in any order; a column `diagnosis` (CN, EMCI, ...) may be added.
// - diseased: True, true, TRUE or 1; False, false, FALSE or 0. New patients, whose labels are
//   ignored, need no such column.
// - measurement: a number with a decimal point; empty, NA, NaN or nan means missing.
// - UTF-8, with or without byte order mark; lines end in LF or CRLF, the last one may lack it.
// - Fields may be quoted; blank lines, and blanks around an unquoted field, are skipped.

/// A cohort as a file gave it.
struct CohortFile {
  Cohort cohort;
  MissingValues missing;
  std::size_t rows = 0;         ///< below the header, blank lines not counted
  std::size_t absent_rows = 0;  ///< missing cells for which the file has no row at all
};

/// Reads a long CSV. Biomarkers are sorted by name (as bytes), so that a file that lists them in
/// their true order does not give it away. Participants come in numeric order if every id is an
/// integer, else in the order of their first rows. All faults are reported, at most ten of a kind
/// and the number of the rest; the result is empty if there was any.
CohortFile read_cohort_csv(const std::filesystem::path& path, Problems& problems,
                           Labels labels = Labels::needed);

/// The same from memory; `name` is what places call the text.
CohortFile read_cohort_csv_text(std::string_view text, const std::string& name, Problems& problems,
                                Labels labels = Labels::needed);

/// Writes the cohort as a long CSV: participants in their order, biomarkers by name, missing cells
/// empty, numbers with all digits that they need. A cohort whose columns are sorted by name and
/// whose participants are in the order above reads back equal.
/// @throws ShapeError, NumericError if the cohort is inconsistent or has no labels.
std::string to_csv(const Cohort& cohort);

/// Writes that text to a file.
/// @throws Error if the file cannot be written.
void write_cohort_csv(const Cohort& cohort, const std::filesystem::path& path);

}  // namespace tempo
