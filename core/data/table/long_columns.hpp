#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/csv_rows.hpp"
#include "data/labels.hpp"
#include "data/table/faults.hpp"

namespace tempo {

/// Columns of the long CSV, in the order in which tempo writes them.
enum class LongColumn : std::size_t { participant, biomarker, measurement, diseased, diagnosis };

/// Their names, and those that a file has to have: all but the diagnosis.
const std::vector<std::string>& long_columns();
const std::vector<std::string>& required_long_columns();

/// Where the columns of a long CSV stand.
class LongColumns {
 public:
  /// Faults: the header is that of another kind of table, or columns are unknown, missing or given
  /// twice. Absent if there was any.
  static std::optional<LongColumns> find(const CsvRow& header, Labels labels, TableFaults& faults);

  std::size_t count() const { return count_; }  ///< columns of the file
  bool has(LongColumn column) const { return position(column) < count_; }
  const CsvField& of(const CsvRow& row, LongColumn column) const { return row[position(column)]; }

 private:
  std::size_t position(LongColumn column) const {
    return positions_[static_cast<std::size_t>(column)];
  }
  std::size_t count_ = 0;
  std::array<std::size_t, 5> positions_{};  ///< `count_` where the file has no such column
};

}  // namespace tempo
