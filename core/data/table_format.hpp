#pragma once

#include <cstddef>
#include <string_view>

#include "data/csv_rows.hpp"
#include "data/table_description.hpp"

namespace tempo {

/// How a table is written: what the description says, else what the text shows.
struct TableFormat {
  CsvFormat csv;
  std::size_t remarks = 0;          ///< lines above the header that are skipped unasked
  bool has_separator_line = false;  ///< the first of them says the separator: `sep=;`
  bool header_is_marked = false;    ///< the header begins with a `#` that is none of its first name
};

/// Looks at the first lines. The separator is the most frequent one in the header unless it is
/// given.
TableFormat format_of(std::string_view text, const TableDescription& description);

/// The header without its mark, where it has one.
CsvRow without_mark(CsvRow header);

}  // namespace tempo
