#pragma once

#include <cstddef>
#include <optional>

#include "data/csv_rows.hpp"
#include "data/table/faults.hpp"
#include "data/table/numbers.hpp"

namespace tempo {

/// Reads the fields that CSVs of cohorts have, long or wide, and complains of them.
class CohortCsvValues {
 public:
  explicit CohortCsvValues(TableFaults& faults);

  /// Whether a row has as many fields as the header.
  bool has_fields(const CsvRow& row, std::size_t count);
  /// NaN where the field is empty, means missing, or is no finite number.
  double measurement(const CsvField& field);
  /// Whether a participant is diseased; absent where the field does not say.
  std::optional<bool> label(const CsvField& field);
  void complain_of_no_participant(const CsvField& field);

 private:
  TableFaults& faults_;
  TableNumbers numbers_;
};

}  // namespace tempo
