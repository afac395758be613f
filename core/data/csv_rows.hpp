#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tempo/problem.hpp"

namespace tempo {

/// A field of a CSV file: its text without quotes and the blanks around it, composed, and where it
/// begins.
struct CsvField {
  std::string text;
  std::size_t offset = 0;  ///< byte of the file; place_in_text makes it a line and column
};
using CsvRow = std::vector<CsvField>;

/// How a file differs from a plain CSV.
struct CsvFormat {
  char separator = ',';  ///< one byte, neither a quote nor an end of line
  std::string comment;   ///< lines that begin with it are skipped; empty: none are
  std::size_t skip = 0;  ///< lines at the top that are skipped
};

/// The tokeniser: finds the fields of a file and leaves their meaning to the caller. Calls `take`
/// with each row that is not blank, the header included; a row has one field at least. Fields are
/// separated by commas, or as `format` says, and may be quoted; a quote within them is doubled
/// (RFC 4180). Lines end in LF, CRLF or CR. A misplaced or unclosed quote is a problem and ends the
/// reading, because the next field could begin anywhere; so is a field that holds whole rows, since
/// the next quote closes one that was left open. So is a row of more than 100,000 fields. Rows
/// before it have been taken.
/// @param text  from checked_text
/// @param name  what places call the text
void for_each_csv_row(std::string_view text, const std::string& name, Problems& problems,
                      const std::function<void(const CsvRow&)>& take, const CsvFormat& format = {});

/// Reads one row again, that for_each_csv_row has found at `offset`.
CsvRow csv_row_at(std::string_view text, std::size_t offset, char separator);

/// Where the line after the one at `offset` begins.
std::size_t next_line(std::string_view text, std::size_t offset);

/// Makes a field of the text, quoted if necessary.
std::string csv_field(const std::string& text);

}  // namespace tempo
