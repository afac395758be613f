#pragma once

#include <exception>
#include <string>

#include "tempo/export.hpp"

namespace tempo {

/// What an exception says, for users: those of the standard library say `std::bad_alloc`, or
/// `Resource temporarily unavailable` without a word of what was.
TEMPO_API std::string fault_text(const std::exception& fault);

}  // namespace tempo
