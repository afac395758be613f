// Something else whose entry point happens to have our name.
#include "one_change.hpp"

EXPORT_WITH("wrong_magic", d.magic = 42)
