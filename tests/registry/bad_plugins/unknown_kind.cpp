// Of a kind that a later tempo may have.
#include "one_change.hpp"

EXPORT_WITH("unknown_kind", d.kind = 9)
