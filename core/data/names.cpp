#include "data/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace tempo {

std::unordered_map<std::string_view, std::size_t> first_places(
    const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> out;
  for (std::size_t i = 0; i < names.size(); ++i) out.emplace(names[i], i);
  return out;
}

std::string counted(std::size_t count, const std::string& noun) {
  if (count == 1) return "1 " + noun;
  const auto begin = [&](std::size_t ending) { return noun.substr(0, noun.size() - ending); };
  if (noun.ends_with("is")) return fmt::format("{} {}es", count, begin(2));    // hypothesis
  if (noun.ends_with("ary")) return fmt::format("{} {}ies", count, begin(1));  // library
  return fmt::format("{} {}s", count, noun);
}

std::vector<std::string> in_quotes(std::vector<std::string> names) {
  for (auto& name : names) name = "'" + name + "'";
  return names;
}

std::string in_short(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(kShown, names.size()));
  return fmt::format(
      "{}{}", fmt::join(names.begin(), names.begin() + shown, ", "),
      names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : "");
}

std::vector<std::size_t> order_by_name(const std::vector<std::string>& names) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return names[a] < names[b]; });
  return order;
}

std::vector<std::size_t> participant_order(const std::vector<std::string>& ids) {
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::int64_t> numbers(ids.size());
  for (const auto j : order)
    if (parse_number(ids[j], numbers[j]) != std::errc()) return order;
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return numbers[a] < numbers[b]; });
  return order;
}

}  // namespace tempo
