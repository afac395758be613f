#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

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
// - diseased: True, true, TRUE or 1; False, false, FALSE or 0. New patients may do without the
// column where
//   labels are ignored.
// - measurement: a number with a decimal point; empty, NA, NaN or nan means missing.
// - UTF-8, with or without byte order mark; lines end in LF or CRLF, the last one may lack it.
// - Fields may be quoted; blank lines, and blanks around an unquoted field, do not count.

/// Whether a file has to say who is diseased.
enum class Labels {
  needed,
  ignored,  ///< nobody looks at them: a cohort that is read so has none
};

/// What a cohort lacks: refused or allowed by those who read the cohort, but never silent.
struct MissingValues {
  struct Column {
    std::string biomarker;
    std::size_t healthy = 0;   ///< healthy participants without this measurement
    std::size_t diseased = 0;  ///< diseased participants without it
    bool operator==(const Column&) const = default;
  };
  std::size_t healthy = 0;                      ///< participants in the cohort
  std::size_t diseased = 0;                     ///< participants in the cohort
  std::vector<Column> columns;                  ///< [B], in column order
  std::vector<std::string> empty_participants;  ///< ids of those without any measurement

  std::size_t total() const;  ///< missing cells
  /// A table biomarker x group of the columns that lack something, then the participants without
  /// any measurement; empty if nothing is missing. Lines end in a line feed.
  std::string report() const;
  bool operator==(const MissingValues&) const = default;
};

/// Counts the NaN cells of any cohort; where labels are ignored everybody counts as diseased.
/// @throws ShapeError if labels are not ignored and `diseased` is not [J].
MissingValues count_missing(const Cohort& cohort, Labels labels = Labels::needed);

/// A cohort as a file gave it.
struct CohortFile {
  Cohort cohort;
  MissingValues missing;
  std::size_t rows = 0;         ///< below the header, blank lines not counted
  std::size_t absent_rows = 0;  ///< missing cells for which the file has no row at all
};

/// Reads a long CSV. Row order carries no information into the result: biomarkers are sorted by
/// name (as bytes), so that a file that lists them in their true order does not give it away;
/// participants come in numeric order if every id is an integer, else as they first appear.
/// All faults are reported, at most ten of a kind and the number of the rest. Empty if there was
/// any.
CohortFile read_cohort_csv(const std::filesystem::path& path, Problems& problems,
                           Labels labels = Labels::needed);

/// The same from memory; `name` is what places call the text.
CohortFile read_cohort_csv_text(std::string_view text, const std::string& name, Problems& problems,
                                Labels labels = Labels::needed);

/// The cohort as a long CSV: participants as they stand, biomarkers by name, missing cells empty,
/// numbers so that they read back to the bit. A cohort whose columns are sorted by name and whose
/// participants are in the order above reads back equal.
/// @throws ShapeError, NumericError if the cohort is inconsistent or has no labels.
std::string to_csv(const Cohort& cohort);

/// Writes that text.
/// @throws Error if the file cannot be written.
void write_cohort_csv(const Cohort& cohort, const std::filesystem::path& path);

}  // namespace tempo
