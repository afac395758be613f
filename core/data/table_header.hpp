#pragma once

#include "data/table_description.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// Looks at a table whose description has faults: adds a problem if the file cannot be read, or
/// lacks columns that the description names. Checks nothing that depends on other keys.
/// @param description  its keys of format (layout, separator, skip, ...) have no faults
void check_table_header(const TableDescription& description, Problems& problems);

}  // namespace tempo
