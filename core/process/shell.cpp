#include "process/shell.hpp"

#include <algorithm>
#include <cctype>

namespace tempo::process {

std::string as_argument(const std::string& text) {
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) != 0 || c == '/' || c == '.' || c == '_' || c == '-' ||
           c == ',' || c == '=' || c == '+' || c == ':' || c == '@';
  });
  if (is_plain) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace tempo::process
