#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/csv_rows.hpp"
#include "data/table/input.hpp"
#include "data/table/numbers.hpp"
#include "data/table/visits.hpp"

namespace tempo {

/// Where the columns that a description names stand in a table.
struct TableColumns {
  std::vector<std::string> header;
  std::size_t participant = kNone, visit = kNone, diagnosis = kNone;
  std::size_t biomarker = kNone, value = kNone;  ///< of a long table
  std::vector<std::size_t> covariates;           ///< as the description lists them
  std::vector<std::size_t> described;            ///< as the description lists them
  std::vector<std::size_t> ignored;              ///< as the description lists them
  std::vector<std::size_t> sources;              ///< of a wide table: columns of measurements
  std::vector<std::string> renamed;     ///< `ptid as PTID`: columns of a preset by other names
  std::size_t unit = kNone;             ///< of a long table: in which measurements are
  std::vector<std::size_t> unused;      ///< of a long table: columns that nothing asks for
  std::vector<std::size_t> unchanging;  ///< sex, genotype and the like, whatever their use
};

/// The header that the description gives instead of the table, as a row.
CsvRow header_of(const TableDescription& description);

/// Finds the columns. Faults: the header holds numbers only, names are given twice, a
/// column of the description is not there. Absent if there was any.
std::optional<TableColumns> find_table_columns(const CsvRow& header, const TableInput& input,
                                               const TableNumbers& numbers);

/// The columns that hold no measurements, each with why: `DX (diagnosis)`. Those that have no use
/// come last, the first of them by name.
std::vector<std::string> other_columns(const TableColumns& columns);

}  // namespace tempo
