#include "tempo/toolkit/doubtful_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tempo/gross_errors.hpp"
#include "tempo/value_steps.hpp"

namespace tempo::toolkit {
namespace {

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

std::vector<std::string> far_values_sentences(const Cohort& cohort,
                                              std::span<const GrossError> errors,
                                              FarValues far_values) {
  auto out = described(cohort, errors);
  for (auto& sentence : out)
    sentence += far_values == FarValues::left_out
                    ? ": they were left out; check them"
                    : ": a few of them can turn the order; check them";
  return out;
}

void add_sorted(std::vector<std::string> warnings, Inference& inference) {
  std::sort(warnings.begin(), warnings.end());  // columns come in any order
  inference.warnings.insert(inference.warnings.end(), warnings.begin(), warnings.end());
}

}  // namespace

Cohort believed(const Cohort& cohort, Fidelity fidelity) {
  if (fidelity == Fidelity::paper) return cohort;
  return without(cohort, gross_errors(cohort));
}

void warn_of_far_values(const Cohort& cohort, FarValues far_values, Inference& inference) {
  add_sorted(far_values_sentences(cohort, gross_errors(cohort), far_values), inference);
}

void warn_of_few_values(const Cohort& cohort, Inference& inference) {
  std::vector<std::string> warnings;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
    if (const auto found = comparable_values(cohort, b); found && are_few(found->pooled))
      warnings.push_back(few_values(found->name));
  add_sorted(std::move(warnings), inference);
}

void warn_of_doubtful_values(const Cohort& given, FarValues far_values, Inference& inference) {
  const auto errors = gross_errors(given);
  auto warnings = far_values_sentences(given, errors, far_values);
  const auto cohort = far_values == FarValues::left_out ? without(given, errors) : given;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    const auto found = comparable_values(cohort, b);
    if (!found) continue;
    const auto& values = *found;
    if (!ranks_differ(values) && !means_differ(values) && !many_are_beyond(values))
      warnings.push_back(fmt::format(
          "controls and diseased do not differ in '{}' (ranks, means and values beyond "
          "all controls, each tested at 5 %): either its event is late, or the disease does not change it",
          values.name));
    if (are_few(values.pooled)) warnings.push_back(few_values(values.name));
  }
  add_sorted(std::move(warnings), inference);
  const auto& stages = inference.stages;
  if (std::adjacent_find(stages.begin(), stages.end(), std::not_equal_to<>()) == stages.end())
    inference.warnings.push_back(fmt::format(
        "all participants are at stage {}: the stages say nothing, and the order may not either",
        stages.front()));
}

}  // namespace tempo::toolkit
