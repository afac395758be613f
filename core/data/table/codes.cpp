// Values that stand for missing ones: -999, 88, 95 to 98, or a zero.

#include "data/table/codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "data/table/measured.hpp"
#include "data/table/oddities.hpp"

namespace tempo {
namespace {

bool is_made_of(double x, std::string_view digits) {
  return fmt::format("{}", std::abs(x)).find_first_not_of(digits) == std::string::npos;
}

/// 95 to 98, 995 to 998, ...: what registers number the reasons with.
bool is_numbered_reason(double x) {
  for (double most = 100.0; most <= 1e6; most *= 10.0)
    if (x >= most - 5.0 && x < most && x == std::round(x)) return true;
  return false;
}

/// -1 to -9: reasons, where there are several.
bool is_small_and_negative(double x) { return x <= -1.0 && x >= -9.0 && x == std::round(x); }

/// What occurs more than once, or clinics often take for a code.
bool may_be_code(const Count& value) { return value.second > 1 || is_usual_code(value.first); }

/// Whether the values may be codes, all together.
bool may_be_codes(std::span<const Count> values) {
  constexpr std::size_t kMostUnusual = 3;
  if (values.size() <= kMostUnusual && std::all_of(values.begin(), values.end(), may_be_code))
    return true;
  return std::all_of(values.begin(), values.end(), [&](const Count& value) {
    return is_usual_code(value.first) || (values.size() > 1 && is_small_and_negative(value.first));
  });
}

/// A whole number below 0, and the next that occurs is not.
bool is_odd_sign(double value, double next) {
  return value < 0.0 && next >= 0.0 && value == std::round(value);
}

/// Whether the first values below 0 go on as those above do, one by one: scores of a difference.
bool go_on_below_zero(std::span<const Count> values, std::size_t n) {
  return n > 1 && values[n].first - values[n - 1].first <= 1.0 &&
         values[n - 1].first - values[n - 2].first <= 1.0;
}

/// Whether the first value is farther from the second than any step between the others, and than
/// some times the steps of their middle half.
bool is_far_by_steps(std::span<const Count> values, double times) {
  const auto others = values.size() - 1;
  double widest = 0.0, widest_of_middle = 0.0;
  for (std::size_t i = 1; i < 3 * others / 4; ++i) {
    const double step = std::abs(values[i + 1].first - values[i].first);
    widest = std::max(widest, step);
    if (i >= others / 4) widest_of_middle = std::max(widest_of_middle, step);
  }
  return std::abs(values[1].first - values[0].first) > std::max(widest, times * widest_of_middle);
}

/// Whether somebody may have typed a number: it has two decimals at most, unlike a computed bound
/// at which values were clipped.
bool is_typed(double x) {
  const double hundredths = std::abs(100.0 * x);
  return std::abs(hundredths - std::round(hundredths)) <= 1e-9 * std::max(1.0, hundredths);
}

/// Whether the first value, which occurs again, is a zero or the only one below 0 and far from all
/// others; scores may be 0 without being missing, and nothing else says that they are.
bool is_lone(std::span<const Count> values) {
  constexpr std::size_t kFewestOthers = 5;
  constexpr double kStepsOfZero = 4.0, kSteps = 1.0;
  const auto& [value, count] = values.front();
  if (count < 2 || values.size() <= kFewestOthers) return false;
  if (value == 0.0) return is_far_by_steps(values, kStepsOfZero);
  return value < 0.0 && values[1].first >= 0.0 && is_typed(value) &&
         is_far_by_steps(values, kSteps);
}

/// Whether the first n values are farther from the others than these lie apart, perhaps after
/// taking logarithms. Small counts have to be farther, unless the value is a usual code.
bool are_far(std::span<const Count> values, std::size_t n) {
  constexpr double kMostOfCounts = 5.0;
  const double code = values[n - 1].first, nearest = values[n].first, last = values.back().first;
  const bool are_counts =
      !is_usual_code(code) && std::all_of(values.begin(), values.end(), [](const Count& value) {
        return value.first >= 0.0 && value.first == std::round(value.first);
      });
  const double gap = std::abs(nearest - code), width = std::abs(last - nearest);
  if (gap > std::max(width, are_counts ? kMostOfCounts : 0.0)) return true;
  const bool are_positive = code > 0.0 && nearest > 0.0 && last > 0.0;
  return are_positive && std::abs(std::log(nearest / code)) > std::abs(std::log(last / nearest));
}

/// How many values at the front are codes: a few that are far from the others, the only ones below
/// 0, or a zero.
std::size_t count_codes(std::span<const Count> values) {
  constexpr std::size_t kMost = 12, kFewestOthers = 3;
  for (std::size_t n = 1; n <= kMost && n + kFewestOthers <= values.size(); ++n) {
    if (!may_be_codes(values.first(n))) return 0;
    if (is_odd_sign(values[n - 1].first, values[n].first))
      return go_on_below_zero(values, n) ? 0 : n;
    if (are_far(values, n) || (n == 1 && is_lone(values))) return n;
  }
  return 0;
}

/// `5 of 40 AD, 1 of 60 CN`; numbers are called `diagnosis 1`.
std::string by_diagnosis(const Cohort& cohort, std::size_t b, double value) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // with the value, of all
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    auto& [with, all] = counts[cohort.diagnoses.empty() ? "participants" : cohort.diagnoses[j]];
    ++all;
    if (cohort.measurements(j, b) == value) ++with;
  }
  std::string out;
  for (const auto& [diagnosis, count] : counts)
    if (count.first > 0)
      out += fmt::format(
          "{}{} of {} {}{}", out.empty() ? "" : ", ", count.first, count.second,
          diagnosis.find_first_not_of("0123456789") == std::string::npos ? "with diagnosis " : "",
          diagnosis);
  return out;
}

}  // namespace

bool is_usual_code(double x) {
  return is_made_of(x, "9.") || is_made_of(x, "8.") || is_numbered_reason(x) || x == -1.0 ||
         x == -4.0;
}

CodesAndValues without_codes(std::vector<Count> values) {
  std::vector<double> codes;
  for (bool found = true; found;) {
    found = false;
    for (int end = 0; end < 2; ++end) {
      const auto n = count_codes(values);
      for (std::size_t i = 0; i < n; ++i) codes.push_back(values[i].first);
      values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n));
      std::reverse(values.begin(), values.end());
      found |= n > 0;
    }
  }
  std::sort(codes.begin(), codes.end());
  return {std::move(codes), std::move(values)};
}

std::vector<std::string> possible_codes(const Cohort& cohort, std::string_view advice) {
  std::vector<std::string> out;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    const auto [codes, others] = without_codes(counts_of(cohort, b));
    for (const double code : codes)
      out.push_back(fmt::format(
          "{} is {} in {}, all others are {} to {}: a code for a missing value? {}",
          cohort.biomarkers[b], code, by_diagnosis(cohort, b, code),
          in_six_digits(others.front().first), in_six_digits(others.back().first), advice));
  }
  return out;
}

}  // namespace tempo
