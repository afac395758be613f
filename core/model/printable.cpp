#include "printable.hpp"

namespace tempo {

std::string printable(std::string_view text, std::string_view kept) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  const auto write_out = [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_c0 = byte < 0x20 || byte == 0x7F;
    // The controls from U+0080 to U+009F in UTF-8.
    const bool is_c1 =
        byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (is_c1)
      write_out(text[++i]);
    else if (is_c0 && kept.find(text[i]) == std::string_view::npos)
      write_out(text[i]);
    else
      out += text[i];
  }
  return out;
}

}  // namespace tempo
