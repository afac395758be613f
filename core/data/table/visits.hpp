#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "data/csv_rows.hpp"
#include "data/names.hpp"
#include "tempo/cohort.hpp"

namespace tempo {

/// No column, no row, no visit.
inline constexpr auto kNone = std::numeric_limits<std::size_t>::max();

/// One visit of a participant, as the rows of a table give it.
struct Visit {
  std::size_t participant = 0;  ///< of VisitTable::participants
  std::size_t offset = 0;       ///< byte of its first row
  std::string name;             ///< what the column of visits says
  std::string diagnosis;
  std::size_t censored = 0;  ///< cells that are missing as they are beyond what is measured
  std::vector<std::string> covariates;    ///< [covariates of the description]
  std::vector<std::string> described;     ///< [described columns of the description]
  std::vector<double> cells;              ///< by source, NaN where missing; may be short
  std::vector<std::size_t> cell_offsets;  ///< long tables: byte of each cell's row, or kNone
};

/// A cell that holds neither a number nor a marker of missing values.
struct OddCell {
  std::size_t visit = 0, source = 0;
  std::size_t offset = 0;  ///< byte of the field
  std::string text;
};

/// What should not change in a participant's life, and does between two rows.
struct Change {
  std::size_t participant = 0;
  std::string column;
  CsvField first, here;
};

/// How the numbers of a source are written.
struct Writing {
  std::size_t thousands = 0;  ///< with a point or comma that may part thousands
  std::size_t marked = 0;     ///< with another point or comma
  std::size_t plain = 0;      ///< with neither
  std::size_t offset = 0;     ///< byte of the first of `thousands`
  std::string example;        ///< its text
};

/// The rows of a table by visit, before anything has been chosen.
struct VisitTable {
  Names participants;
  Names sources;  ///< of measurements: columns of a wide table, biomarkers of a long one
  std::vector<Visit> visits;                 ///< in the order of their first rows
  std::vector<OddCell> odd;                  ///< in the order of the file
  std::vector<Writing> writing;              ///< by source; may be short
  std::size_t rows = 0;                      ///< below the header, blank lines not counted
  std::size_t rows_without_visit = 0;        ///< which are no baselines
  std::vector<std::string> unseen_markers;   ///< of the description's own, which no cell has
  std::size_t copies = 0;                    ///< rows equal to an earlier one, which were dropped
  std::vector<std::set<std::string>> units;  ///< of a long table, by source; may be short
  /// Of a long table: how many measurements have `<` or `>` beside them, in a column of their own.
  std::map<std::pair<std::string, std::size_t>, std::size_t> bounds;  ///< by column and source
  std::vector<Change> changes;                                        ///< in the order of the rows
  std::vector<std::string> other_columns;                             ///< as CohortTable has them
  std::vector<std::string> renamed;                                   ///< as TableColumns has them
  std::vector<std::size_t> unnamed;  ///< columns without a name, the first is 1

  /// Byte of a field, by the byte of its row and its column; tables that a description describes.
  std::function<std::size_t(std::size_t row, std::size_t column)> field_offset;
  std::size_t visit_column = kNone;
  std::size_t value_column = kNone;            ///< of a long table
  std::vector<std::size_t> covariate_columns;  ///< as the description lists them
  std::vector<std::size_t> source_columns;     ///< of a wide table, by source

  /// The participant of a visit.
  const std::string& id(const Visit& visit) const { return participants.names[visit.participant]; }
  /// Byte of a field in the first row of a visit.
  std::size_t offset_of(const Visit& visit, std::size_t column) const;
  /// Byte of a measurement.
  std::size_t offset_of_cell(const Visit& visit, std::size_t source) const;
};

/// The cell of a long table's row; null if an earlier row has filled it, whose offset the visit
/// keeps.
/// @param offset  byte of the row
double* claim_cell(Visit& visit, std::size_t source, std::size_t offset);

/// The visits that become a cohort's participants, in its order.
struct Selection {
  std::vector<std::size_t> visits;     ///< [J] of VisitTable::visits
  std::vector<std::uint8_t> diseased;  ///< [J], or empty: labels are ignored
  std::vector<std::string> diagnoses;  ///< [J], or empty: there are none
};

/// Where a biomarker's values come from.
struct BiomarkerSource {
  std::string name;
  std::size_t column = 0;    ///< of VisitTable::sources
  std::size_t over = kNone;  ///< the source it is divided by, or kNone
  bool takes_log = false;    ///< the natural logarithm of its values, after the division
};

class TableFaults;

/// The selected visits as a cohort. Takes their cells away, since a large table would not fit
/// twice. A divisor that is 0, a quotient that is not finite and a logarithm of what is not above 0
/// are faults.
/// @param biomarkers  [B] by name
Cohort make_cohort(VisitTable& table, const Selection& selection,
                   const std::vector<BiomarkerSource>& biomarkers, TableFaults& faults);

}  // namespace tempo
