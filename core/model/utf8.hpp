#pragma once

#include <cstddef>
#include <string_view>

#include "tempo/export.hpp"

namespace tempo {

/// The length of the well-formed UTF-8 character at the beginning of a text that is not empty, or
/// 0.
TEMPO_API std::size_t character_length(std::string_view text);

}  // namespace tempo
