// An id that is no word of TOML.
#include "one_change.hpp"

EXPORT_WITH("bad_id", d.id = "Bad-Id")
