// Built by another compiler.
#include "one_change.hpp"

EXPORT_WITH("wrong_build_tag", d.build_tag = "tempo-0.0.9|g++-4|libstdc++-cxx11abi-0")
