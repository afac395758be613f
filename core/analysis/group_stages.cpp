#include "analysis/group_stages.hpp"

#include <algorithm>
#include <cmath>

namespace tempo {
namespace {

/// Whether the means of the groups that have members rise; absent for fewer than two.
std::optional<bool> means_rise(const std::vector<std::optional<Spread>>& groups) {
  std::optional<bool> rises;
  std::optional<double> before;
  for (const auto& of_group : groups) {
    if (!of_group) continue;
    if (before) rises = rises.value_or(true) && of_group->mean > *before;
    before = of_group->mean;
  }
  return rises;
}

}  // namespace

std::vector<GroupStages> group_stages(const FittedCohort& cohort) {
  const auto G = cohort.group_names.size(), B = cohort.biomarkers.size();
  std::vector<GroupStages> out;
  for (const auto& fit : cohort.fits) {
    std::vector<std::vector<double>> stages(G);
    auto& found = out.emplace_back();
    found.counts.assign(G, std::vector<std::size_t>(B + 1, 0));
    for (std::size_t j = 0; j < fit.stages.size(); ++j) {
      stages[cohort.groups[j]].push_back(fit.stages[j]);
      const auto rounded = std::clamp(std::nearbyint(fit.stages[j]), 0.0, static_cast<double>(B));
      ++found.counts[cohort.groups[j]][static_cast<std::size_t>(rounded)];
    }
    for (const auto& of_group : stages) found.groups.push_back(spread(of_group));
    if (cohort.groups_ordered) found.rises = means_rise(found.groups);
  }
  return out;
}

}  // namespace tempo
