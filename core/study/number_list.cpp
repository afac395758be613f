#include "study/number_list.hpp"

namespace tempo {

std::optional<std::set<std::size_t>> parse_number_list(const std::string& text) {
  std::set<std::size_t> numbers;
  std::size_t at = 0;
  const auto number = [&]() -> std::optional<std::size_t> {
    const auto start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    if (at == start || at - start > 6) return std::nullopt;
    return std::stoul(text.substr(start, at - start));
  };
  while (at < text.size()) {
    const auto first = number();
    if (!first) return std::nullopt;
    auto last = first;
    if (at < text.size() && text[at] == '-') {
      ++at;
      last = number();
      if (!last || *last < *first) return std::nullopt;
    }
    for (auto value = *first; value <= *last; ++value) numbers.insert(value);
    if (at == text.size()) break;
    if (text[at] != ',') return std::nullopt;
    ++at;
    while (at < text.size() && text[at] == ' ') ++at;
    if (at == text.size()) return std::nullopt;
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

}  // namespace tempo
