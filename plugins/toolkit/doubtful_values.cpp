#include "tempo/toolkit/doubtful_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tempo/toolkit/biomarker_values.hpp"

namespace tempo::toolkit {
namespace {

/// Of sorted values.
double median(const std::vector<double>& sorted) {
  const auto n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : 0.5 * sorted[n / 2 - 1] + 0.5 * sorted[n / 2];
}

constexpr double kPoint = 1.96;  // two-sided 5 % of a normal

/// The rank-sum test; ties have their mean rank and the variance that goes with them.
bool ranks_differ(const BiomarkerValues& values) {
  std::vector<std::pair<double, bool>> all;
  for (const double x : values.controls) all.emplace_back(x, false);
  for (const double x : values.diseased) all.emplace_back(x, true);
  std::sort(all.begin(), all.end());
  const auto n = static_cast<double>(all.size());
  const auto m = static_cast<double>(values.diseased.size());
  double rank_sum = 0.0, ties = 0.0;
  for (std::size_t from = 0; from < all.size();) {
    auto to = from;
    double diseased = 0.0;
    for (; to < all.size() && all[to].first == all[from].first; ++to) diseased += all[to].second;
    const auto size = static_cast<double>(to - from);
    rank_sum += diseased * (static_cast<double>(from) + 0.5 * (size + 1.0));
    ties += size * (size * size - 1.0);
    from = to;
  }
  const double variance = m * (n - m) / 12.0 * (n + 1.0 - ties / (n * (n - 1.0)));
  return std::abs(rank_sum - 0.5 * m * (n + 1.0)) >= kPoint * std::sqrt(variance);
}

/// Welch's test: sees a late event, which few have had, sooner than ranks do.
bool means_differ(const BiomarkerValues& values) {
  const auto controls = population_moments(values.controls);
  const auto diseased = population_moments(values.diseased);
  const auto error =
      std::hypot(controls.sd / std::sqrt(static_cast<double>(values.controls.size() - 1)),
                 diseased.sd / std::sqrt(static_cast<double>(values.diseased.size() - 1)));
  return std::abs(diseased.mean - controls.mean) >= kPoint * error;
}

/// Whether more diseased lie beyond all controls, on one side, than would by chance in one of
/// twenty cohorts: k or more do with probability (diseased / all)^k, about.
bool many_are_beyond(const BiomarkerValues& values) {
  const auto [least, most] = std::minmax_element(values.controls.begin(), values.controls.end());
  const auto below = std::count_if(values.diseased.begin(), values.diseased.end(),
                                   [limit = *least](double x) { return x < limit; });
  const auto above = std::count_if(values.diseased.begin(), values.diseased.end(),
                                   [limit = *most](double x) { return x > limit; });
  const double share = static_cast<double>(values.diseased.size()) /
                       static_cast<double>(values.diseased.size() + values.controls.size());
  return std::pow(share, static_cast<double>(std::max(below, above))) < 0.025;
}

bool is_heavily_tied(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::size_t different = 0, most = 0;
  for (auto from = values.begin(); from != values.end(); ++different) {
    const auto to = std::upper_bound(from, values.end(), *from);
    most = std::max(most, static_cast<std::size_t>(to - from));
    from = to;
  }
  return different <= 5 || 10 * most > 3 * values.size();
}

/// How many lie more than ten robust standard deviations from the median.
std::size_t far_out(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double centre = median(values);
  std::vector<double> distances;
  for (const double x : values) distances.push_back(std::abs(x - centre));
  std::sort(distances.begin(), distances.end());
  const double limit = 10.0 * 1.4826 * median(distances);
  if (limit == 0.0) return 0;  // heavy ties
  return static_cast<std::size_t>(distances.end() -
                                  std::upper_bound(distances.begin(), distances.end(), limit));
}

/// Of a cohort without diagnosis: a few values that lie far from all others.
std::vector<std::string> far_values(const Cohort& cohort) {
  std::vector<std::string> warnings;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    std::vector<double> values;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      if (!std::isnan(cohort.measurements(j, b))) values.push_back(cohort.measurements(j, b));
    if (values.size() < 2) continue;
    const auto far = far_out(values);
    if (far > 0 && 50 * far <= values.size())
      warnings.push_back(
          fmt::format("values more than ten robust standard deviations from the median in '{}' ({} "
                      "participants): a few of them can turn the order; check them",
                      cohort.biomarkers[b], far));
  }
  return warnings;
}

}  // namespace

void warn_of_doubtful_values(const Cohort& cohort, Inference& inference) {
  auto warnings = cohort.diseased.empty() ? far_values(cohort) : std::vector<std::string>();
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    const auto found = comparable_values(cohort, b);
    if (!found) continue;
    const auto& values = *found;
    if (!ranks_differ(values) && !means_differ(values) && !many_are_beyond(values))
      warnings.push_back(fmt::format(
          "controls and diseased do not differ in '{}' (ranks, means and values beyond "
          "all controls, each tested at 5 %): either its event is late, or the disease does not change it",
          values.name));
    if (is_heavily_tied(values.pooled))
      warnings.push_back(
          fmt::format("few different values, or one in more than 30 % of participants, in '{}': "
                      "its distributions are hardly known",
                      values.name));
    const auto controls = far_out(values.controls);
    auto diseased = far_out(values.diseased);
    if (50 * diseased > values.diseased.size()) diseased = 0;
    if (controls + diseased > 0)
      warnings.push_back(
          fmt::format("values more than ten robust standard deviations from the median of their "
                      "group in '{}' ({} "
                      "controls, {} diseased): a few of them can turn the order; check them",
                      values.name, controls, diseased));
  }
  std::sort(warnings.begin(), warnings.end());  // columns come in any order
  inference.warnings.insert(inference.warnings.end(), warnings.begin(), warnings.end());
  const auto& stages = inference.stages;
  if (std::adjacent_find(stages.begin(), stages.end(), std::not_equal_to<>()) == stages.end())
    inference.warnings.push_back(fmt::format(
        "all participants are at stage {}: the stages say nothing, and the order may not either",
        stages.front()));
}

}  // namespace tempo::toolkit
