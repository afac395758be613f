// Nothing is wrong with this one: the others must not keep it from loading.
#include "one_change.hpp"

EXPORT_WITH("fine", )
