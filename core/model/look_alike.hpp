#pragma once

#include <string>
#include <string_view>

#include "tempo/export.hpp"

namespace tempo {

/// The text without characters that print as nothing or as another kind of blank, such as a
/// no-break space at its end.
TEMPO_API std::string without_hidden(std::string_view text);

/// The text as it can be told from another that prints alike: characters that print as nothing, as
/// a blank or as an ASCII character of the other are written out (`CN<U+00A0>`, `<U+0421>N`).
/// @param text, other  UTF-8
TEMPO_API std::string told_from(std::string_view text, std::string_view other);

/// The text with hidden characters written out.
TEMPO_API std::string showing_hidden(std::string_view text);

/// The characters of UTF-8; bytes that are none stand for themselves.
std::u32string characters_of(std::string_view text);

}  // namespace tempo
