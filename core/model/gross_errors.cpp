#include "tempo/gross_errors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tempo/quantile.hpp"

namespace tempo {
namespace {

constexpr double kFar = 9.0;  // robust standard deviations beyond the outer tenth
constexpr double kOuter = 0.1, kInner = 0.3;
constexpr double kOuterToInner = 0.7572;    // of a normal distribution, in its sds
constexpr double kLeastOfAll = 0.25;        // a tail may be short by chance, or by rounding
constexpr double kMostFarDiseased = 0.04;   // of the diseased: more may be an event
constexpr double kTimesTheHealthy = 2.0;    // as common an error in both groups, by chance
constexpr double kMiddle = 0.05;            // what is left out on either side of nine tenths
constexpr double kSdOfDeviation = 1.4826;   // of a normal distribution, by its median deviation
constexpr double kTenthsOfNormal = 2.5631;  // distances of outer tenths and twentieths, in its sds
constexpr double kTwentiethsOfNormal = 3.2897;

/// Of all values; where more than half are equal, by their outer tenths or twentieths.
double robust_sd(std::span<const double> sorted) {
  const double centre = quantile(sorted, 0.5);
  std::vector<double> distances;
  for (const double x : sorted) distances.push_back(std::abs(x - centre));
  std::sort(distances.begin(), distances.end());
  if (const double deviation = quantile(distances, 0.5); deviation > 0.0)
    return kSdOfDeviation * deviation;
  const auto between = [&](double share) {
    return quantile(sorted, 1.0 - share) - quantile(sorted, share);
  };
  if (const double tenths = between(kOuter); tenths > 0.0) return tenths / kTenthsOfNormal;
  return between(0.05) / kTwentiethsOfNormal;
}

constexpr Believable kEverything{-std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::infinity()};

/// Two groups, before and after the event, have two peaks: each side is measured by its own tail.
/// @param other  sorted, too
Believable near(const std::vector<double>& sorted, const std::vector<double>& other) {
  if (sorted.size() < kFewestForSpread) return kEverything;
  // Of ten values the outermost would be part of the outer tenth.
  const auto inner = std::span(sorted).subspan(1, sorted.size() - 2);
  const double of_all = robust_sd(inner);
  if (!(of_all > 0.0)) return kEverything;
  const auto reach = [&](double outer, double to) {
    const double tail = std::abs(quantile(inner, outer) - quantile(inner, to)) / kOuterToInner;
    return kFar * (tail > 0.0 ? std::max(tail, kLeastOfAll * of_all) : of_all);
  };
  Believable out{quantile(inner, kOuter) - reach(kOuter, kInner),
                 quantile(inner, 1.0 - kOuter) + reach(1.0 - kOuter, 1.0 - kInner)};
  if (other.size() >= kFewestForSpread) {
    out.low = std::min(out.low, quantile(other, kMiddle));
    out.high = std::max(out.high, quantile(other, 1.0 - kMiddle));
  }
  return out;
}

double share_beyond(const std::vector<double>& sorted, const Believable& believable) {
  const auto beyond =
      std::count_if(sorted.begin(), sorted.end(), [&](double x) { return !believable.holds(x); });
  return sorted.empty() ? 0.0 : static_cast<double>(beyond) / static_cast<double>(sorted.size());
}

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  std::sort(out.begin(), out.end());
  return out;
}

/// 'a', 'b' and how many more; sorted, as rows come in any order.
std::string named(std::vector<std::string> ids) {
  constexpr std::size_t kNamed = 5;
  std::sort(ids.begin(), ids.end());
  const std::size_t more = ids.size() - std::min(ids.size(), kNamed);
  ids.resize(ids.size() - more);
  return fmt::format("{}'{}'{}", ids.size() == 1 ? "participant " : "participants ",
                     fmt::join(ids, "', '"), more == 0 ? "" : fmt::format(" and {} more", more));
}

/// Of the gross errors of one biomarker.
std::string description(const Cohort& cohort, std::span<const GrossError> errors) {
  const bool is_labelled = !cohort.diseased.empty();
  std::size_t diseased = 0;
  std::vector<std::string> ids;
  for (const auto& [j, b] : errors) {
    if (is_labelled) diseased += cohort.diseased[j];
    ids.push_back(cohort.participants[j]);
  }
  return fmt::format(
      "values far out{} in '{}' ({}{})", is_labelled ? " of their group" : "",
      cohort.biomarkers[errors.front().biomarker],
      is_labelled ? fmt::format("{} controls, {} diseased: ", errors.size() - diseased, diseased)
                  : std::string(),
      named(std::move(ids)));
}

bool is_diseased(const Cohort& cohort, std::size_t j) {
  return cohort.diseased.empty() || cohort.diseased[j] != 0;
}

}  // namespace

BelievableValues believable_values(std::span<const double> healthy,
                                   std::span<const double> diseased) {
  const auto well = sorted(healthy), ill = sorted(diseased);
  BelievableValues out{near(well, ill), near(ill, well)};
  const double one = ill.empty() ? 0.0 : 1.0 / static_cast<double>(ill.size());
  const double most =
      std::max({kMostFarDiseased, one, kTimesTheHealthy * share_beyond(well, out.healthy)});
  if (share_beyond(ill, out.diseased) > most) out.diseased = kEverything;
  return out;
}

std::vector<GrossError> gross_errors(const Cohort& cohort) {
  std::vector<GrossError> out;
  std::vector<double> healthy, diseased;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    healthy.clear();
    diseased.clear();
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      if (const double x = cohort.measurements(j, b); !std::isnan(x))
        (is_diseased(cohort, j) ? diseased : healthy).push_back(x);
    const auto believable = believable_values(healthy, diseased);
    for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
      const double x = cohort.measurements(j, b);
      const auto& of_group = is_diseased(cohort, j) ? believable.diseased : believable.healthy;
      if (!std::isnan(x) && !of_group.holds(x)) out.push_back({j, b});
    }
  }
  return out;
}

Cohort without(Cohort cohort, std::span<const GrossError> errors) {
  for (const auto& [j, b] : errors)
    cohort.measurements(j, b) = std::numeric_limits<double>::quiet_NaN();
  return cohort;
}

std::vector<std::string> described(const Cohort& cohort, std::span<const GrossError> errors) {
  std::vector<std::string> out;
  for (auto from = errors.begin(); from != errors.end();) {
    const auto to = std::find_if(from, errors.end(), [b = from->biomarker](const auto& error) {
      return error.biomarker != b;
    });
    out.push_back(description(cohort, {from, to}));
    from = to;
  }
  std::sort(out.begin(), out.end());  // columns come in any order
  return out;
}

}  // namespace tempo
