// Its entry point throws what is no exception.
#include "one_change.hpp"

ENTRY_POINT { throw 7; }
