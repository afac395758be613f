// Has half a character and a command to a terminal in its id, as a damaged file may.
#include "one_change.hpp"

EXPORT_WITH("id_is_no_text", d.id = "caf\xc3\x1b[2J")
