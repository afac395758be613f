#include "data/table/categories.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>
#include <string_view>

#include "model/lower_case.hpp"

namespace tempo {

std::optional<std::string> looks_like_categories(const std::string& name,
                                                 const std::vector<double>& values) {
  constexpr std::size_t kFewest = 3, kMost = 6;
  std::set<double> distinct;
  bool are_whole = true;
  for (const double z : values)
    if (!std::isnan(z) && distinct.size() <= kMost) {
      distinct.insert(z);
      are_whole = are_whole && z == std::round(z);
    }
  static const std::set<std::string_view> categories{"apoe",     "center",  "centre",
                                                     "genotype", "scanner", "site"};
  if (categories.contains(in_lower_case(name))) return fmt::format("{} (by name)", name);
  if (!are_whole || distinct.size() < kFewest || distinct.size() > kMost) return std::nullopt;
  return fmt::format("{} ({})", name, fmt::join(distinct, ", "));
}

}  // namespace tempo
