#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/csv_rows.hpp"
#include "data/labels.hpp"
#include "data/table/cohort_csv_values.hpp"
#include "data/table/faults.hpp"
#include "data/table/long_columns.hpp"
#include "data/table/visits.hpp"

namespace tempo {

/// Turns the rows of a long CSV into one visit per participant and its label. All that is wrong
/// with a row is said at once, so that faults come in the order of the rows.
class LongCsvRows {
 public:
  LongCsvRows(Labels labels, TableFaults& faults);

  /// The header, then the rows below it.
  void take(const CsvRow& row);
  /// Complains of a file without header or rows.
  /// @param is_whole  no fault of quotes ended the reading
  void finish(bool is_whole);

  VisitTable& visits() { return table_; }
  /// What became of optional ones: needed or ignored, once the header was read.
  Labels labels() const { return labels_; }
  /// All participants, in a cohort's order.
  Selection all() const;

 private:
  /// What the first row of a participant said; later rows have to agree.
  template <class T>
  struct Agreed {
    T value{};
    std::size_t offset = kNone;  ///< byte of the field that says so
    bool is_disputed = false;    ///< a complaint has been made
  };
  struct Labelling {
    Agreed<bool> diseased;
    Agreed<std::string> diagnosis;
  };

  void take_row(const CsvRow& row);
  void check_not_empty(const CsvField& participant, const CsvField& biomarker);
  double* new_cell(Visit& visit, const CsvRow& row);
  template <class T, class Words>
  void agree(Agreed<T>& known, const T& found, const CsvField& field, TableFault kind,
             const Words& words);
  void agree_on_label(Labelling& known, bool found, const CsvRow& row);
  void agree_on_diagnosis(Labelling& known, const CsvRow& row);
  bool has_diagnoses() const;

  Labels labels_;
  TableFaults& faults_;
  CohortCsvValues values_;
  bool has_header_ = false;
  std::optional<LongColumns> columns_;  ///< absent: no header, or a faulty one
  VisitTable table_;
  std::vector<Labelling> labellings_;  ///< by visit
};

}  // namespace tempo
