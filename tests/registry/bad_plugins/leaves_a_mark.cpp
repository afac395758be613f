// Tells by an environment variable that it has been loaded.
#include <cstdlib>

#include "one_change.hpp"

static const int mark = setenv("TEMPO_TEST_MARK", "loaded", /*overwrite=*/1);

EXPORT_WITH("leaves_a_mark", static_cast<void>(mark))
