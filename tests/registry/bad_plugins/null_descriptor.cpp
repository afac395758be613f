// Its entry point finds nothing to say.
#include "one_change.hpp"

ENTRY_POINT { return nullptr; }
