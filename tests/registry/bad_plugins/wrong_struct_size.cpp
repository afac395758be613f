// Built against a descriptor with another set of fields.
#include "one_change.hpp"

EXPORT_WITH("wrong_struct_size", d.struct_size = 64)
