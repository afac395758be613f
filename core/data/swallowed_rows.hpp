#pragma once

#include <string_view>

#include "data/csv_rows.hpp"

namespace tempo {

/// Whether a line within a quoted field looks like a row of the table, as where a quote was left
/// open and the next one, rows below, closes it: it has as many separators as rows have, and fields
/// like those of the rows around it.
/// @param field   as the file has it, with its quotes
/// @param row     the fields before it in its row
/// @param above   the last row before that, the header perhaps; empty at the top
bool has_swallowed_rows(std::string_view field, const CsvRow& row, const CsvRow& above,
                        char separator);

}  // namespace tempo
