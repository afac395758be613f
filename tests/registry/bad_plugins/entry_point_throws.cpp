// Its entry point throws.
#include <stdexcept>

#include "one_change.hpp"

ENTRY_POINT { throw std::runtime_error("no licence server"); }
