#include "look_alike.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tempo {
namespace {

/// Blanks of other widths than the usual, and what has none.
bool is_hidden(char32_t c) {
  return c == 0x00A0 || c == 0x00AD || (c >= 0x2000 && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202F) || (c >= 0x205F && c <= 0x2064) || c == 0x3000 || c == 0xFEFF;
}

/// Letters of other scripts, dashes, quotes and wide forms that print as ASCII characters do.
bool may_print_as_ascii(char32_t c) {
  constexpr std::array<std::pair<char32_t, char32_t>, 5> kRanges{
      {{0x0370, 0x052F}, {0x2010, 0x2015}, {0x2018, 0x201F}, {0x2212, 0x2212}, {0xFF01, 0xFF5E}}};
  return std::any_of(kRanges.begin(), kRanges.end(),
                     [&](const auto& range) { return c >= range.first && c <= range.second; });
}

void append_utf8(char32_t c, std::string& out) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

void append_written_out(char32_t c, std::string& out) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  out += "<U+";
  for (int shift = c < 0x10000 ? 12 : 20; shift >= 0; shift -= 4) out += kHex[(c >> shift) & 15];
  out += '>';
}

std::u32string without_hidden(std::u32string text) {
  std::erase_if(text, is_hidden);
  return text;
}

}  // namespace

std::u32string characters_of(std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 1 || i + length > text.size()) {
      out += lead;
      ++i;
      continue;
    }
    char32_t c = lead & (0xFFu >> (length + 1));
    for (std::size_t k = 1; k < length; ++k)
      c = (c << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
    out += c;
    i += length;
  }
  return out;
}

std::string without_hidden(std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return std::string(text);
  std::string out;
  for (const auto c : without_hidden(characters_of(text))) append_utf8(c, out);
  return out;
}

std::string told_from(std::string_view text, std::string_view other) {
  const auto characters = characters_of(text);
  const auto others = without_hidden(characters_of(other));
  const bool are_as_long = without_hidden(characters).size() == others.size();
  std::string out;
  std::size_t place = 0;  // among those that print
  for (const auto c : characters) {
    const bool prints_as_other = !is_hidden(c) && are_as_long && others[place] < 0x80 &&
                                 others[place] != c && may_print_as_ascii(c);
    if (is_hidden(c) || prints_as_other)
      append_written_out(c, out);
    else
      append_utf8(c, out);
    if (!is_hidden(c)) ++place;
  }
  return out;
}

std::string showing_hidden(std::string_view text) { return told_from(text, text); }

}  // namespace tempo
