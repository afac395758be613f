#pragma once

#include <string>
#include <string_view>

namespace tempo {

/// The text with each letter and its accents as one character where Unicode has it (form NFC): the
/// `é` of one program is `e` and an accent to another.
/// @param text  UTF-8; other text is given back as it is
std::string composed(std::string text);

/// The text with a replacement character for each byte that belongs to no character of UTF-8:
/// programs of others write what they like.
std::string well_formed(std::string_view text);

}  // namespace tempo
