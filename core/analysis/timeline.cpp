#include "analysis/timeline.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/counted_fits.hpp"
#include "analysis/rank_table.hpp"

namespace tempo {
namespace {

/// Why a timeline leaves a fit out; absent if it does not.
std::optional<LeftOut::Why> why_left_out(const CohortFit& fit) {
  if (!fit.event_times) return LeftOut::Why::no_times;
  if (fit.is_asked_for) return std::nullopt;
  if (fit.times_are_ranks) return LeftOut::Why::ranks;
  const auto& times = *fit.event_times;
  const auto [first, last] = std::minmax_element(times.begin(), times.end());
  if (times.size() > 1 && *first == *last) return LeftOut::Why::constant;
  return std::nullopt;
}

/// The posterior of a fit's times on the scale of its rescaled times; absent where it has none.
std::vector<std::optional<Within>> rescaled_posterior(const CohortFit& fit) {
  const auto& times = *fit.event_times;
  const auto [first, last] = std::minmax_element(times.begin(), times.end());
  const double range = *last - *first;
  std::vector<std::optional<Within>> out(times.size());
  for (std::size_t b = 0; fit.time_posterior && range > 0.0 && b < out.size(); ++b) {
    const auto& [mean, sd, low, high, has_interval] = (*fit.time_posterior)[b];
    out[b] = {(mean - *first) / range, sd / range, (low - *first) / range, (high - *first) / range,
              has_interval};
  }
  return out;
}

}  // namespace

std::vector<double> rescaled(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  std::vector<double> out;
  for (const auto value : values)
    out.push_back(*high > *low ? (value - *low) / (*high - *low) : 0.5);
  return out;
}

RescaledTimeline timeline(const FittedCohort& cohort) {
  const auto B = cohort.biomarkers.size();
  RescaledTimeline out;
  using Why = LeftOut::Why;
  std::array<LeftOut, 3> left_out{
      LeftOut{Why::ranks, {}}, {Why::constant, {}}, {Why::no_times, {}}};
  const auto counted = counted_fits(cohort).fits;
  std::vector<std::vector<double>> of_times, counted_times, counted_ranks;
  for (std::size_t f = 0; f < cohort.fits.size(); ++f) {
    const auto& fit = cohort.fits[f];
    if (const auto why = why_left_out(fit)) {
      left_out[static_cast<std::size_t>(*why)].fits.push_back(f);
      continue;
    }
    out.fits.push_back(f);
    out.times.push_back(rescaled(*fit.event_times));
    if (!fit.times_are_ranks) of_times.push_back(out.times.back());
    if (std::binary_search(counted.begin(), counted.end(), f))
      (fit.times_are_ranks ? counted_ranks : counted_times).push_back(out.times.back());
    std::vector<std::vector<double>> replicates;
    for (const auto& times : fit.replicate_times) replicates.push_back(rescaled(times));
    out.replicates.push_back(within_columns(replicates, B));
    out.posterior.push_back(rescaled_posterior(fit));
  }
  for (auto& some : left_out)
    if (!some.fits.empty()) out.left_out.push_back(std::move(some));
  if (out.fits.empty()) return out;
  out.across_ranks = of_times.empty();
  const auto& some = out.across_ranks ? counted_ranks : counted_times;
  out.across = spread_of_columns(!some.empty() ? some : out.across_ranks ? out.times : of_times, B);
  out.rows = rows_by_mean(out.across, cohort.biomarkers);
  return out;
}

}  // namespace tempo
