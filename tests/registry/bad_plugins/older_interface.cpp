// Written before the interface changed.
#include "one_change.hpp"

EXPORT_WITH("older_interface", d.interface_version = 0)
