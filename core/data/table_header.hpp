#pragma once

#include "data/table_description.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// What can be said of a table before a faulty description has been mended: that its file cannot be
/// read, or lacks columns that the description names. Says nothing of what hangs on other keys.
/// @param description  whose keys of format (layout, separator, skip, ...) are sound
void check_table_header(const TableDescription& description, Problems& problems);

}  // namespace tempo
