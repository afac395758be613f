#pragma once

#include <string>
#include <string_view>

#include "tempo/export.hpp"

namespace tempo {

/// The text as a terminal may have it: control characters, which names in files may hold, and bytes
/// that are no UTF-8, which damaged files do, are written out (`\x1b`), but for those that are
/// kept.
TEMPO_API std::string printable(std::string_view text, std::string_view kept = "\n");

/// Its lines, however they end, joined by `; `.
TEMPO_API std::string joined_lines(std::string text);

}  // namespace tempo
