// Links a library that is absent when the plugin is loaded.
#include "one_change.hpp"

int absent_answer();

EXPORT_WITH("missing_dependency", d.kind += static_cast<unsigned>(absent_answer()))
