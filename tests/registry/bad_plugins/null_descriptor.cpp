// Its entry point returns nothing.
#include "one_change.hpp"

ENTRY_POINT { return nullptr; }
