#include "report/text_layout.hpp"

#include <algorithm>
#include <random>

#include "support.hpp"

namespace tempo::test {
namespace {

using Cells = std::vector<std::vector<std::string>>;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::size_t widest(const std::string& text) {
  std::size_t out = 0;
  for (const auto& line : lines_of(text)) out = std::max(out, display_width(line));
  return out;
}

/// Without white space: what a reader reads of it.
std::string letters_of(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\n') out += c;
  return out;
}

}  // namespace

TEST_CASE("a width is what a terminal needs", "[report][layout]") {
  REQUIRE(display_width("") == 0);
  REQUIRE(display_width("tau ± 0.1") == 9);
  REQUIRE(display_width("海马体") == 6);           // two columns each
  REQUIRE(display_width("해마 体积") == 9);        // and a space
  REQUIRE(display_width("e\u0301te\u0301") == 3);  // accents of their own take none
  REQUIRE(display_width("ｈ１") == 4);             // full-width letters
  REQUIRE(display_width("حصين") == 4);
  REQUIRE(display_width("\xff\xfe") == 2);  // no UTF-8
}

TEST_CASE("lines are broken between words, and within those that are longer", "[report][layout]") {
  using Lines = std::vector<std::string>;
  REQUIRE(wrapped("one two three", 7) == Lines{"one two", "three"});
  REQUIRE(wrapped("one two three", 7, 1) == Lines{"one two", " three"});
  REQUIRE(wrapped("  one two three", 8) == Lines{"  one", "  two", "  three"});
  REQUIRE(wrapped("abcdefghij kl", 4) == Lines{"abcd", "efgh", "ij", "kl"});
  REQUIRE(wrapped("海马体积", 5) == Lines{"海马", "体积"});
  REQUIRE(wrapped("", 5) == Lines{""});
  REQUIRE(wrapped_lines("a b c\n\nlonger line", 6) == "a b c\n\nlonger\nline");
}

TEST_CASE("a text that is too long ends in an ellipsis", "[report][layout]") {
  REQUIRE(shortened("as it is", 8) == "as it is");
  REQUIRE(shortened("too long a text", 9) == "too long…");
  REQUIRE(shortened("海马体积", 6) == "海马…");
}

TEST_CASE("columns are aligned by what a terminal shows", "[report][layout]") {
  REQUIRE(aligned({{"name", "n"}, {"海马体", "1"}, {"é", "2"}}, 1, 20) ==
          "name    n\n海马体  1\né       2\n");
}

TEST_CASE("long texts go on in the next line of their column", "[report][layout]") {
  REQUIRE(aligned({{"method", "warning"}, {"debm", "one or two words that are too long for it"}}, 2,
                  30) ==
          "method  warning\n"
          "debm    one or two words that\n"
          "         are too long for it\n");
}

TEST_CASE("numbers that are too many go into further blocks", "[report][layout]") {
  REQUIRE(aligned({{"method", "h1", "h2", "h3"}, {"debm", "0.125", "0.25", "0.5"}}, 1, 24) ==
          "method  h1     h2    h3\ndebm    0.125  0.25  0.5\n");
  REQUIRE(aligned({{"method", "h1", "h2", "h3"}, {"debm", "0.125", "0.25", "0.5"}}, 1, 20) ==
          "method  h1     h2\ndebm    0.125  0.25\n\nmethod  h3\ndebm    0.5\n");
}

// Many shapes: some columns of names, some of numbers, texts of up to 200 characters in several
// scripts. Whatever comes, lines fit, and nothing is lost.
TEST_CASE("tables fit, whatever they hold", "[report][layout]") {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return random() % n; };
  const std::vector<std::string> letters{"a", "b", "-", "é", "海", "한", "ش", " ", "e\u0301", "."};
  const auto text = [&](std::size_t longest) {
    std::string out;
    for (auto left = below(longest) + 1; left > 0; --left) out += letters[below(letters.size())];
    return out;
  };
  for (int shape = 0; shape < 400; ++shape) {
    const auto names = below(4) + 1, numbers = below(3) == 0 ? 0 : below(40);
    const std::size_t longest = below(2) == 0 ? 12 : 200;
    Cells rows(below(6) + 2);
    for (auto& row : rows) {
      for (std::size_t i = 0; i < names; ++i) row.push_back(text(longest));
      for (std::size_t i = 0; i < numbers; ++i)
        row.push_back(&row == &rows[0] ? text(longest) : "0.123 ± 0.456*");
    }
    const auto width = std::vector<std::size_t>{60, 80, 120}[below(3)];
    const auto shown = aligned(rows, numbers == 0 ? static_cast<std::size_t>(-1) : names, width);
    INFO(shown);
    REQUIRE(widest(shown) <= width);
    if (fits(rows, width)) REQUIRE(lines_of(shown).size() == rows.size());
    for (const auto& row : rows)  // each number once
      for (const auto& cell : row)
        if (display_width(cell) <= 10 && cell.find(' ') == std::string::npos)
          REQUIRE(letters_of(shown).find(letters_of(cell)) != std::string::npos);
    std::size_t scores = 0;
    for (auto at = shown.find("±"); at != std::string::npos; at = shown.find("±", at + 1)) ++scores;
    REQUIRE(scores == numbers * (rows.size() - 1));
  }
}

}  // namespace tempo::test
