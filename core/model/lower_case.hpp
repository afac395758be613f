#pragma once

#include <string>
#include <string_view>

namespace tempo {

/// The text with the letters A to Z in lower case; others, of whatever language, stay.
inline std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (auto& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace tempo
