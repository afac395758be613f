// Uses what is not defined; linked without --no-undefined.
#include "one_change.hpp"

namespace elsewhere {
int answer(const char* question, int tries);
}

EXPORT_WITH("undefined_symbol", d.kind += static_cast<unsigned>(elsewhere::answer("kind", 1)))
