#include "possible_anchors.hpp"

#include <algorithm>
#include <cstddef>

namespace tempo::bayes {
namespace {

/// The values that most participants share; of those that as many share, the outer ones. None of
/// rounded values or of scales with few levels, which are shared anyway.
std::vector<double> shared_values(std::vector<double> values) {
  constexpr std::size_t kMost = 4;        // two states, clipped on either side
  constexpr double kSharedAtMost = 0.25;  // of all values: no published family clips more than 0.16
  constexpr double kByChance =
      0.1;  // of the values that are not one of these four, in files with few digits
  std::sort(values.begin(), values.end());
  struct Shared {
    double value;
    std::size_t participants, from_edge;
  };
  std::vector<Shared> found;
  std::size_t sharing = 0;
  for (std::size_t i = 0, next = 0; i < values.size(); i = next) {
    while (next < values.size() && values[next] == values[i]) ++next;
    if (next - i < 2) continue;
    found.push_back({values[i], next - i, std::min(i, values.size() - next)});
    sharing += next - i;
  }
  std::stable_sort(found.begin(), found.end(), [](const Shared& a, const Shared& b) {
    return a.participants != b.participants ? a.participants > b.participants
                                            : a.from_edge < b.from_edge;
  });
  found.resize(std::min(found.size(), kMost));
  std::size_t by_these = 0;
  for (const auto& shared : found) by_these += shared.participants;
  const auto share = [](std::size_t part, std::size_t of) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(of, 1));
  };
  if (share(sharing, values.size()) > kSharedAtMost ||
      share(sharing - by_these, values.size() - by_these) > kByChance)
    return {};
  std::vector<double> out;
  for (const auto& shared : found) out.push_back(shared.value);
  return out;
}

}  // namespace

std::vector<Anchor> possible_anchors(const toolkit::BiomarkerValues& values,
                                     const std::vector<double>& atoms, bool is_post) {
  if (atoms.empty()) return {};
  std::vector<Anchor> out;
  for (const double value : shared_values(values.pooled))
    for (const double z : atoms)
      if (std::none_of(values.controls.begin(), values.controls.end(), [&](double x) {
            return is_post ? x == value : z < 0.0 ? x < value : x > value;
          }))
        out.push_back({value, z});
  return out;
}

}  // namespace tempo::bayes
