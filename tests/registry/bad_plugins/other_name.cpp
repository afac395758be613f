// A plugin in a file that is called otherwise.
#include "one_change.hpp"

EXPORT_WITH("other_name", d.id = "another")
