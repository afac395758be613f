#include "data/swallowed_rows.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tempo {
namespace {

/// What a text is made of: `9` of a number or a day, else `a` for letters and `9` for digits that
/// follow each other, and all other characters as they are.
std::string shape_of(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789", kOfNumbers = "0123456789+-.,/:<>=eE ";
  if (text.find_first_of(kDigits) != std::string_view::npos &&
      text.find_first_not_of(kOfNumbers) == std::string_view::npos)
    return "9";
  std::string out;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
    const char kind = is_letter ? 'a' : kDigits.find(c) != std::string_view::npos ? '9' : c;
    if (out.empty() || out.back() != kind) out += kind;
  }
  return out;
}

std::vector<std::string_view> parts_of(std::string_view text, std::string_view ends) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = text.find_first_of(ends, begin);
    out.push_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
  }
  return out;
}

/// Whether most of the fields that are not empty look like those of the rows around them.
bool are_alike(const std::vector<std::string_view>& fields, const CsvRow& row,
               const CsvRow& above) {
  std::size_t alike = 0, compared = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto& other = i < row.size() ? row : above;
    if (i >= other.size() || other[i].text.empty() || fields[i].empty()) continue;
    ++compared;
    if (shape_of(fields[i]) == shape_of(other[i].text)) ++alike;
  }
  return 2 * alike > compared;
}

}  // namespace

bool has_swallowed_rows(std::string_view field, const CsvRow& row, const CsvRow& above,
                        char separator) {
  if (above.size() < 2) return false;  // lines of one column are no rows more than texts
  const auto lines = parts_of(field.substr(0, field.rfind('"')), "\r\n");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto fields = parts_of(lines[i], std::string_view(&separator, 1));
    const bool is_last = i + 1 == lines.size();
    // The quote that closes the field stands in the same column of a later row.
    if (fields.size() != (is_last ? row.size() + 1 : above.size())) continue;
    const std::vector<std::string_view> whole(fields.begin(), fields.end() - (is_last ? 1 : 0));
    if (!whole.empty() && are_alike(whole, row, above)) return true;
  }
  return false;
}

}  // namespace tempo
