#include "data/table/numbers.hpp"

#include <utility>

namespace tempo {

TableNumbers::TableNumbers(std::optional<char> decimal, std::vector<std::string> missing_markers)
    : decimal_(decimal), missing_markers_(std::move(missing_markers)) {
  read_markers();
}

void TableNumbers::settle_by(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-') || text.starts_with('<') ||
      text.starts_with('>'))
    text.remove_prefix(1);
  const auto at = text.find_first_of(".,");
  if (at == std::string_view::npos) return;
  const auto is_digits = [](std::string_view part) {
    return std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  const auto whole = text.substr(0, at), rest = text.substr(at + 1);
  constexpr std::size_t kThousands = 3;
  if (text[at] == '.') {
    double ignored = 0.0;
    if (parse_number(text, ignored) == std::errc()) decimal_ = '.';
  } else if (!whole.empty() && !rest.empty() && rest.size() != kThousands && is_digits(whole) &&
             is_digits(rest)) {
    decimal_ = ',';
    read_markers();
  }
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
