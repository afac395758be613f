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

/// Calls `take` with each row that is not blank, the header included; rows have at least one field.
/// Fields are separated by commas and may be quoted, quotes within doubled (RFC 4180); lines end in
/// LF, CRLF or CR. A misplaced or unclosed quote is a problem and ends the reading, since nobody
/// can tell where the next field begins; rows before it have been taken.
/// @param text from checked_text
void for_each_csv_row(std::string_view text, const std::string& name, Problems& problems,
                      const std::function<void(const CsvRow&)>& take);

/// The text as a field, quoted if it has to be.
std::string csv_field(const std::string& text);

}  // namespace tempo
