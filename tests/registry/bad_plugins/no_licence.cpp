// Has no licence.
#include "one_change.hpp"

EXPORT_WITH("no_licence", d.licence = "")
