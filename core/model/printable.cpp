#include "printable.hpp"

#include "utf8.hpp"

namespace tempo {

std::string printable(std::string_view text, std::string_view kept) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  const auto write_out = [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
  };
  while (!text.empty()) {
    const auto length = character_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    const bool is_c0 = length == 1 && (byte < 0x20 || byte == 0x7F);
    // The controls from U+0080 to U+009F.
    const bool is_c1 = length == 2 && byte == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;
    if (is_c1)
      write_out(text[1]);
    else if (length == 0 || (is_c0 && kept.find(text[0]) == std::string_view::npos))
      write_out(text[0]);
    else
      out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string joined_lines(std::string text) {
  for (auto at = text.find_first_of("\r\n"); at != std::string::npos;
       at = text.find_first_of("\r\n", at))
    text.replace(at, text.compare(at, 2, "\r\n") == 0 ? 2 : 1, "; ");
  return text;
}

}  // namespace tempo
