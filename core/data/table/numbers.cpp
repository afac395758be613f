#include "data/table/numbers.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tempo {

namespace {

constexpr std::size_t kThousands = 3;  // digits between marks

bool are_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void remove_sign(std::string_view& text) {
  if (text.starts_with('+') || text.starts_with('-') || text.starts_with('<') ||
      text.starts_with('>'))
    text.remove_prefix(1);
}

/// The digits of a whole number without the marks between them; absent if these stand elsewhere
/// than before each third digit from the right, or behind a zero (0.500 is no 500).
std::optional<std::string> without_marks(std::string_view digits, char mark) {
  auto end = digits.find(mark);
  if (end == std::string_view::npos) return std::string(digits);
  std::string out(digits.substr(0, end));
  if (out.empty() || out.size() > kThousands || out.front() == '0') return std::nullopt;
  for (; end < digits.size(); end += kThousands + 1) {
    const auto group = digits.substr(end, kThousands + 1);
    if (group.size() != kThousands + 1 || group[0] != mark || !are_digits(group.substr(1)))
      return std::nullopt;
    out += group.substr(1);
  }
  return out;
}

}  // namespace

std::string with_plain_marks(std::string_view text) {
  std::string out(text);
  for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>("\u00a0", " "),
                                 {"\u2009", " "},
                                 {"\u202f", " "},
                                 {"\u2019", "'"}})
    for (auto at = out.find(from); at != std::string::npos; at = out.find(from, at + to.size()))
      out.replace(at, from.size(), to);
  return out;
}

bool may_part_thousands(std::string_view text) {
  remove_sign(text);
  const auto at = text.find_first_of(".,");
  return at != std::string_view::npos && are_digits(text.substr(0, at)) &&
         without_marks(text, text[at]).has_value();
}

TableNumbers::TableNumbers(std::optional<char> decimal, std::vector<std::string> missing_markers,
                           std::optional<char> thousands)
    : decimal_(decimal), thousands_(thousands), missing_markers_(std::move(missing_markers)) {
  read_markers();
}

void TableNumbers::settle_by(std::string_view text) {
  remove_sign(text);
  const auto at = text.find_first_of(".,");
  if (at == std::string_view::npos) return;
  const auto whole = text.substr(0, at), rest = text.substr(at + 1);
  if (text[at] == '.') {
    double ignored = 0.0;
    if (parse_number(text, ignored) == std::errc()) decimal_ = '.';
  } else if (rest.size() != kThousands && are_digits(whole) && are_digits(rest)) {
    decimal_ = ',';
    read_markers();
  }
}

std::errc TableNumbers::read_with_thousands(std::string_view given, double& value) const {
  const auto plain_marks = with_plain_marks(given);
  std::string_view text = plain_marks;
  const std::string_view sign = text.substr(0, text.starts_with('-') ? 1 : 0);
  text.remove_prefix(sign.size());
  const auto end = std::min(text.find(has_decimal_commas() ? ',' : '.'), text.size());
  const auto whole = without_marks(text.substr(0, end), *thousands_);
  if (!whole) return std::errc::invalid_argument;
  const auto plain = std::string(sign) + *whole + std::string(text.substr(end));
  return has_decimal_commas() ? read_with_comma(plain, value)
                              : parse_number(std::string_view(plain), value);
}

std::errc TableNumbers::read_with_comma(std::string_view text, double& value) const {
  if (text.find('.') != std::string_view::npos) return std::errc::invalid_argument;
  std::string with_point(text);
  std::replace(with_point.begin(), with_point.end(), ',', '.');
  return parse_number(std::string_view(with_point), value);
}

bool TableNumbers::is_missing_however_written(const std::string& text) const {
  const auto number = read(text);
  return is_missing(text) || (number && is_missing(*number));
}

void TableNumbers::read_markers() {
  missing_numbers_.clear();
  for (const auto& marker : missing_markers_)
    if (const auto number = read(marker)) missing_numbers_.push_back(*number);
}

}  // namespace tempo
