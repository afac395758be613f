#include "data/table/oddities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "data/names.hpp"
#include "data/table/measured.hpp"
#include "data/table/numbers.hpp"
#include "tempo/gross_errors.hpp"

namespace tempo {
namespace {

std::string one_value(const Cohort& cohort, std::size_t b, const Measured& values) {
  if (values.size() < kFewestValues || values.front().first != values.back().first) return {};
  return fmt::format("{} is {} in all {} participants: it tells nothing", cohort.biomarkers[b],
                     in_six_digits(values.front().first), values.size());
}

/// Whether values are counts of something that most participants have little of: microbleeds, the
/// points of a questionnaire of symptoms.
bool are_counts(const Measured& values) {
  constexpr double kMostUsual = 0.25;  // of the greatest but three, or one
  const auto median = values[values.size() / 2].first;
  const auto great = values[values.size() - 1 - std::min<std::size_t>(3, values.size() / 4)].first;
  return values.front().first == 0.0 && are_whole(values) &&
         median <= std::max(1.0, kMostUsual * great);
}

/// How far values lie apart, and how far is too far.
struct Scale {
  bool takes_logs = false;  ///< where all are above 0: many biomarkers are skewed
  double least = 0.0;       ///< width
  double apart = 1.0;       ///< of the width of the others: a value at either end is out
  double close = 0.25;      ///< of the same: an incredible value that follows so close is none

  double at(double x) const { return takes_logs ? std::log(x) : x; }
  double distance(double from, double to) const { return std::abs(at(to) - at(from)); }
  double width(double from, double to) const { return std::max(least, distance(from, to)); }
};

Scale scale_of(const Measured& values) {
  constexpr std::size_t kFew = 20;
  constexpr double kLeastOfCounts = 5.0, kFarOfCounts = 3.0;
  if (are_counts(values)) return {false, kLeastOfCounts, kFarOfCounts, kFarOfCounts};
  return {are_positive(values), 0.0, values.size() < kFew ? 2.0 : 1.0};
}

/// How many values at the front are farther from the others than these lie apart.
std::size_t count_apart(const Measured& values, const Scale& scale) {
  constexpr std::size_t kMost = 3;
  std::size_t apart = 0;
  for (std::size_t n = 1; n <= kMost && n + kFewestValues <= values.size(); ++n)
    if (scale.distance(values[n - 1].first, values[n].first) >
        scale.apart * scale.width(values[n].first, values.back().first))
      apart = n;
  return apart;
}

/// Values at either end that lie apart from all others, and those that gross_errors does not
/// believe, unless they follow close upon the others.
/// @param errors  of the cohort
std::string far_values(const Cohort& cohort, std::size_t b, const Measured& values,
                       const std::vector<GrossError>& errors) {
  if (values.size() < kFewestValues) return {};
  const auto scale = scale_of(values);
  auto reversed = values;
  std::reverse(reversed.begin(), reversed.end());
  const auto low = count_apart(values, scale), high = count_apart(reversed, scale);
  const auto is_believed = [&](const auto& value) {
    return std::find(errors.begin(), errors.end(), GrossError{value.second, b}) == errors.end();
  };
  auto first = values.begin() + static_cast<std::ptrdiff_t>(low);
  auto last = values.end() - static_cast<std::ptrdiff_t>(high);
  const auto first_believed = std::find_if(first, last, is_believed);
  const auto last_believed =
      std::find_if(std::make_reverse_iterator(last), std::make_reverse_iterator(first), is_believed)
          .base();
  if (first_believed >= last_believed) return {};
  const double close = scale.close * scale.width(first_believed->first, (last_believed - 1)->first);
  if (first != first_believed &&
      scale.distance((first_believed - 1)->first, first_believed->first) > close)
    first = first_believed;
  if (last != last_believed &&
      scale.distance((last_believed - 1)->first, last_believed->first) > close)
    last = last_believed;
  Measured far(values.begin(), first);
  far.insert(far.end(), last, values.end());
  return far.empty() ? std::string()
                     : fmt::format("{} is far out in {}, all others are {} to {}: slips?",
                                   cohort.biomarkers[b], whose(cohort, far),
                                   in_six_digits(first->first), in_six_digits((last - 1)->first));
}

/// The third central moment over the cube of the standard deviation; 0 without spread.
double skewness(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double second = 0.0, third = 0.0;
  for (const double x : values) {
    second += (x - mean) * (x - mean) / n;
    third += (x - mean) * (x - mean) * (x - mean) / n;
  }
  return second > 0.0 ? third / (second * std::sqrt(second)) : 0.0;
}

}  // namespace

std::vector<std::string> odd_values(const Cohort& cohort) {
  std::vector<Measured> all;
  auto without_codes_of_any = cohort;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    all.push_back(measured_values(cohort, b));
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      without_codes_of_any.measurements(j, b) = kMissingValue;
    for (const auto& [x, j] : all[b]) without_codes_of_any.measurements(j, b) = x;
  }
  const auto errors = gross_errors(without_codes_of_any);
  std::vector<std::string> out;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    const auto& values = all[b];
    for (const auto& odd : {one_value(cohort, b, values), two_scales(cohort, b, values),
                            lost_signs(cohort, b, values), two_units(cohort, b, values),
                            far_values(cohort, b, values, errors)})
      if (!odd.empty()) {
        out.push_back(odd);
        break;  // one reason is enough
      }
    auto filled = filled_in(cohort, b, values);
    if (filled.empty()) filled = filled_down(without_codes_of_any, b);
    if (!filled.empty()) out.push_back(std::move(filled));
  }
  return out;
}

std::vector<std::string> skewed_biomarkers(const Cohort& cohort) {
  constexpr std::size_t kFewestHealthy = 20;
  constexpr double kSkewed = 1.5;  // nearly three standard errors of 20 normal values
  std::vector<std::string> out, skewed;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    std::vector<double> values, logarithms;
    bool are_positive = true;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
      const double x = cohort.measurements(j, b);
      if (std::isnan(x)) continue;
      are_positive = are_positive && x > 0.0;
      if (!cohort.diseased.empty() && cohort.diseased[j] != 0) continue;
      values.push_back(x);
      logarithms.push_back(std::log(x));
    }
    if (!are_positive || values.size() < kFewestHealthy) continue;
    const double before = skewness(values), after = skewness(logarithms);
    if (before > kSkewed && std::abs(after) < 0.5 * before)
      skewed.push_back(fmt::format("{} ({:.1f})", cohort.biomarkers[b], before));
  }
  if (!skewed.empty())
    out.push_back(fmt::format(
        "skewed among the healthy: {}; after taking logarithms less than half as much: transform = "
        "\"log\" in 'biomarkers' does that",
        in_short(skewed)));
  return out;
}

}  // namespace tempo
