#pragma once

#include <string>

namespace tempo {

/// The text with each letter and its accents as one character where Unicode has it (form NFC): the
/// `é` of one program is `e` and an accent to another.
/// @param text  UTF-8; other text is given back as it is
std::string composed(std::string text);

}  // namespace tempo
