#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/csv_rows.hpp"
#include "data/table/columns.hpp"
#include "data/table/input.hpp"
#include "data/table/numbers.hpp"
#include "data/table/visits.hpp"
#include "data/table_format.hpp"

namespace tempo {

/// Turns the rows of a described table, wide or long, into visits.
class TableRows {
 public:
  /// @param text     of the rows, from checked_text; it and `format` have to outlive the object
  /// @param numbers  is told of values that show the decimal point
  TableRows(const TableInput& input, std::string_view text, const TableFormat& format,
            TableNumbers& numbers);

  /// The header, unless the description gives it, then the rows below it.
  void take(const CsvRow& row);
  /// Complains of a table without header or rows.
  /// @param is_whole  no fault of quotes ended the reading
  /// @return whether there are visits to make a cohort of
  bool finish(bool is_whole);

  VisitTable& visits() { return table_; }

 private:
  void take_header(const CsvRow& header);
  void take_row(const CsvRow& row);
  std::string visit_of(const std::string& text) const;
  std::string diagnosis_of(const std::string& text) const;
  void take_wide(const CsvRow& row, const std::string& id, const std::string& visit);
  void take_long(const CsvRow& row, const std::string& id, const std::string& visit);
  std::pair<std::size_t, bool> find_visit(const CsvRow& row, const std::string& id,
                                          const std::string& visit);
  std::size_t index_of_visit(std::size_t participant, const std::string& id,
                             const std::string& visit);
  bool is_copy(const CsvRow& row, std::size_t first) const;
  void take_repeat(const CsvRow& row, const std::string& id, const std::string& visit,
                   std::size_t first, const std::string& what);
  void compare_unchanging(const CsvRow& row, std::size_t participant);
  void check_agreement(const Visit& visit, const CsvRow& row, const std::string& id);
  void note_writing(const CsvField& field, std::size_t source, bool is_number);
  double read_cell(const CsvField& field, std::size_t visit, std::size_t source);

  const TableInput& input_;
  std::string_view text_;
  const TableFormat& format_;
  TableNumbers& numbers_;
  bool has_header_ = false;
  std::optional<TableColumns> columns_;  ///< absent: no header, or a faulty one
  VisitTable table_;
  std::unordered_map<std::string, std::size_t> by_key_;  ///< of participant and visit
  std::vector<std::vector<CsvField>> unchanging_;        ///< [participants][columns], as first seen
};

/// A participant has something a second time.
/// @param offset  of the row
/// @param first   byte of the row that had it first
/// @param what    that it has, with an article: `a row`
/// @param is_copy the two rows are equal
void complain_of_repeat(const TableInput& input, std::size_t offset, const std::string& id,
                        const std::string& visit, std::size_t first, const std::string& what,
                        bool is_copy = false);

}  // namespace tempo
