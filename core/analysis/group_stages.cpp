#include "analysis/group_stages.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/counted_fits.hpp"

namespace tempo {
namespace {

/// Of each group, whether all of it is healthy.
std::vector<bool> healthy_groups(const FittedCohort& cohort) {
  std::vector<bool> out(cohort.group_names.size(), !cohort.diseased.empty());
  for (std::size_t j = 0; j < cohort.diseased.size(); ++j)
    if (cohort.diseased[j] != 0) out[cohort.groups[j]] = false;
  return out;
}

/// Whether the means of the groups that have members rise; absent for fewer than two.
/// @param told  [groups] which are not compared
std::optional<bool> means_rise(const std::vector<std::optional<Spread>>& groups,
                               const std::vector<bool>& told) {
  std::optional<bool> rises;
  std::optional<double> before;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& of_group = groups[g];
    if (!of_group || told[g]) continue;
    if (before) rises = rises.value_or(true) && of_group->mean > *before;
    before = of_group->mean;
  }
  return rises;
}

}  // namespace

std::vector<GroupStages> group_stages(const FittedCohort& cohort) {
  const auto G = cohort.group_names.size(), B = cohort.biomarkers.size();
  const auto healthy = healthy_groups(cohort);
  const std::vector<bool> none(G, false);
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
    if (cohort.groups_ordered)
      found.rises = means_rise(found.groups, fit.stages_by_label ? healthy : none);
  }
  return out;
}

std::vector<std::optional<Spread>> group_means(const FittedCohort& cohort,
                                               const std::vector<GroupStages>& of_fits) {
  const auto counted = counted_fits(cohort).fits;
  std::vector<std::optional<Spread>> out;
  for (std::size_t g = 0; g < cohort.group_names.size(); ++g) {
    std::vector<double> means;
    for (const auto f : counted)
      if (const auto& of_group = of_fits[f].groups[g]) means.push_back(of_group->mean);
    out.push_back(spread(means));
  }
  return out;
}

}  // namespace tempo
