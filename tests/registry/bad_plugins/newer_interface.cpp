// Written after the interface changed.
#include "one_change.hpp"

EXPORT_WITH("newer_interface", d.interface_version = 99)
