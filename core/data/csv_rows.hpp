#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tempo/problem.hpp"

namespace tempo {

/// A field of a CSV file: its text without quotes or the blanks around it, and where it begins.
struct CsvField {
  std::string text;
  std::size_t offset = 0;  ///< byte of the file; place_in_text makes it a line and column
};
using CsvRow = std::vector<CsvField>;

/// How a file departs from commas and nothing else.
struct CsvFormat {
  char separator = ',';  ///< one byte, neither a quote nor an end of line
  std::string comment;   ///< lines that begin with it are passed over; empty: there are none
  std::size_t skip = 0;  ///< lines at the top that are passed over
};

/// Calls `take` with each row that is not blank, the header included; rows have at least one field.
/// Fields are separated by commas, or as `format` says, and may be quoted, quotes within doubled
/// (RFC 4180); lines end in LF, CRLF or CR. A misplaced or unclosed quote is a problem and ends the
/// reading, since nobody can tell where the next field begins; rows before it have been taken.
/// @param text from checked_text
void for_each_csv_row(std::string_view text, const std::string& name, Problems& problems,
                      const std::function<void(const CsvRow&)>& take, const CsvFormat& format = {});

/// Where the line after the one at `offset` begins.
std::size_t next_line(std::string_view text, std::size_t offset);

/// The text as a field, quoted if it has to be.
std::string csv_field(const std::string& text);

}  // namespace tempo
