// Has half a character in its summary, as a damaged file may.
#include "one_change.hpp"

EXPORT_WITH("summary_is_no_text", d.summary = "caf\xc3")
