#include "cohort_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "absences.hpp"
#include "tempo/quantile.hpp"

namespace tempo::amortised {
namespace {

constexpr std::size_t kEnough = 10;  // values that have a median and a spread worth the name
constexpr double kFarMedian = 4.0, kWide = 8.0, kNarrow = 0.02, kFarValue = 25.0;
constexpr double kClearSign = 0.5, kOtherSign = 1.5;

double standard_deviation(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0.0, squares = 0.0;
  for (const auto value : values) mean += value / n;
  for (const auto value : values) squares += (value - mean) * (value - mean) / n;
  return std::sqrt(squares);
}

/// Why the values of a biomarker are unlike those of the training cohorts; empty if they are not.
std::string unlike(const std::vector<double>& values, double m, double s) {
  const auto trained = fmt::format("trained on mean {:.4g}, standard deviation {:.4g}", m, s);
  if (values.size() > 1 &&
      std::ranges::adjacent_find(values, std::not_equal_to<>()) == values.end())
    return fmt::format("{:.4g} in everybody, {}", values[0], trained);
  const double middle = quantile(values, 0.5);
  const bool other_sign = std::signbit(middle) != std::signbit(m) &&
                          std::min(std::abs(middle), std::abs(m)) > kClearSign * s &&
                          std::abs(middle - m) > kOtherSign * s;
  const bool enough = values.size() >= kEnough;
  if (enough && (other_sign || std::abs(middle - m) > kFarMedian * s))
    return fmt::format("median {:.4g}, {}: other {}?", middle, trained,
                       other_sign ? "sign" : "units");
  if (const auto far = std::ranges::count_if(
          values, [&](double value) { return std::abs(value - m) > kFarValue * s; });
      far > 0)
    return fmt::format("{} {} over {} standard deviations off, {}", far,
                       far > 1 ? "values" : "value", kFarValue, trained);
  const double spread = standard_deviation(values);
  if (enough && (spread > kWide * s || spread < kNarrow * s))
    return fmt::format("standard deviation {:.4g}, {}: other units?", spread, trained);
  return {};
}

/// Ascending.
std::vector<double> measured(const Cohort& cohort, std::size_t column) {
  std::vector<double> values;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (const double x = cohort.measurements(j, column); !std::isnan(x)) values.push_back(x);
  std::ranges::sort(values);
  return values;
}

}  // namespace

std::vector<std::string> doubts(const Cohort& cohort, const std::vector<std::size_t>& place,
                                const Columns& columns) {
  std::vector<std::string> odd, out;
  for (std::size_t b = 0; b < place.size(); ++b) {
    const auto values = measured(cohort, place[b]);
    if (values.empty()) continue;
    if (const auto why = unlike(values, columns.mean[b], columns.sd[b]); !why.empty())
      odd.push_back(fmt::format("{} ({})", columns.biomarkers[b], why));
  }
  if (!odd.empty())
    out.push_back(fmt::format("unlike the training cohorts, what is found is doubtful: {}",
                              listed(odd, "; ")));
  const auto empty = absences(cohort, place);
  out.insert(out.end(), empty.begin(), empty.end());
  if (cohort.participant_count() > 1 && nobody_is_healthy(cohort))
    out.emplace_back(
        "nobody is healthy: what is found is doubtful, unless the training cohorts were such");
  return out;
}

}  // namespace tempo::amortised
