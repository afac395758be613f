#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "data/csv_rows.hpp"
#include "data/table_description.hpp"

namespace tempo {

/// How a table is written: what the description says, else what the text shows.
struct TableFormat {
  CsvFormat csv;
  std::optional<char> said_separator = {};  ///< by a line at the top: `sep=;`
  std::size_t remarks = 0;        ///< lines below it that begin with `#`, above the header
  std::size_t comments = 0;       ///< lines that begin with the description's `comment`
  bool header_is_marked = false;  ///< the header begins with a `#` that is none of its first name
};

/// Looks at the first lines. Unless it is given, the separator is the one by which the header has
/// the description's columns, or else the most frequent one.
TableFormat format_of(std::string_view text, const TableDescription& description);

/// for_each_csv_row of a table, whose header loses its mark. Blanks alone are no text, be they
/// quoted or not.
void for_each_table_row(std::string_view text, const std::string& name, Problems& problems,
                        const std::function<void(const CsvRow&)>& take, const TableFormat& format);

/// Reads one row again, that for_each_table_row has found at `offset`.
CsvRow table_row_at(std::string_view text, std::size_t offset, const TableFormat& format);

}  // namespace tempo
