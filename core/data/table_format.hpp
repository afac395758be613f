#pragma once

#include <cstddef>
#include <string_view>

#include "data/csv_rows.hpp"
#include "data/table_description.hpp"

namespace tempo {

/// How a table is written: what the description says, else what the text shows.
struct TableFormat {
  CsvFormat csv;
  std::size_t remarks = 0;  ///< lines above the header that are skipped unasked
};

/// Looks at the first lines. The separator is the most frequent one in the header unless it is
/// given.
TableFormat format_of(std::string_view text, const TableDescription& description);

}  // namespace tempo
