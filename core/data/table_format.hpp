#pragma once

#include <cstddef>
#include <string_view>

#include "data/csv_rows.hpp"
#include "data/table_description.hpp"

namespace tempo {

/// What a table is written with, the description's word before what the text shows.
struct TableFormat {
  CsvFormat csv;
  std::size_t remarks = 0;  ///< lines above the header that are passed over without being asked to
};

/// Looks at the first lines. A separator that is not given is the one that the header has most of.
TableFormat format_of(std::string_view text, const TableDescription& description);

}  // namespace tempo
