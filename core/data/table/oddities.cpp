#include "data/table/oddities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "data/names.hpp"
#include "data/table/numbers.hpp"
#include "data/table/value_counts.hpp"
#include "model/look_alike.hpp"
#include "tempo/gross_errors.hpp"

namespace tempo {
namespace {

/// -9, 99, 999.
bool is_all_nines(double x) {
  const auto digits = fmt::format("{}", std::abs(x));
  return digits.find_first_not_of('9') == std::string::npos;
}

/// What occurs more than once, or clinics often take for a code.
bool may_be_code(const Count& value) {
  const double x = value.first;
  return value.second > 1 || is_all_nines(x) || x == -1.0 || x == -4.0 || x == -8.0;
}

/// A number as people write it.
std::string shown(double x) {
  const auto text = fmt::format("{:.6g}", x);
  return text.find('e') != std::string::npos && std::abs(x) >= 1.0 && std::abs(x) < 1e15
             ? fmt::format("{:.0f}", x)
             : text;
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

/// How many values at the front are codes: up to three that are farther from the others than these
/// lie apart, perhaps after taking logarithms, or the only ones below 0.
std::size_t count_codes(std::span<const Count> values) {
  constexpr std::size_t kMost = 3, kFewestOthers = 3;
  for (std::size_t n = 1; n <= kMost && n + kFewestOthers <= values.size(); ++n) {
    if (!may_be_code(values[n - 1])) return 0;
    if (is_odd_sign(values[n - 1].first, values[n].first))
      return go_on_below_zero(values, n) ? 0 : n;
    const double code = values[n - 1].first, nearest = values[n].first, last = values.back().first;
    const bool are_positive = code > 0.0 && nearest > 0.0 && last > 0.0;
    if (std::abs(nearest - code) > std::abs(last - nearest) ||
        (are_positive && std::abs(std::log(nearest / code)) > std::abs(std::log(last / nearest))))
      return n;
  }
  return 0;
}

/// `5 of 40 AD, 1 of 60 CN`
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
      out += fmt::format("{}{} of {} {}", out.empty() ? "" : ", ", count.first, count.second,
                         diagnosis);
  return out;
}

/// Codes, and the values that are none.
struct CodesAndValues {
  std::vector<double> codes;
  std::vector<Count> others;
};

/// Takes codes away from both ends, until neither has any: a code at one end hides one at the
/// other.
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

/// Values of participants, sorted, without codes.
using Measured = std::vector<std::pair<double, std::size_t>>;

Measured measured(const Cohort& cohort, std::size_t b) {
  const auto codes = without_codes(counts_of(cohort, b)).codes;
  Measured out;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (const double x = cohort.measurements(j, b);
        !std::isnan(x) && !std::binary_search(codes.begin(), codes.end(), x))
      out.emplace_back(x, j);
  std::sort(out.begin(), out.end());
  return out;
}

/// `'p7', 'p9'`, the participants of values.
std::string whose(const Cohort& cohort, const Measured& values) {
  std::vector<std::string> ids;
  for (const auto& [x, j] : values)
    ids.push_back(fmt::format("'{}' ({})", showing_hidden(cohort.participants[j]), shown(x)));
  return in_short(ids);
}

constexpr std::size_t kFewestValues = 10;  // that say what others of a biomarker should be

std::string one_value(const Cohort& cohort, std::size_t b, const Measured& values) {
  if (values.size() < kFewestValues || values.front().first != values.back().first) return {};
  return fmt::format("{} is {} in all {} participants: it tells nothing", cohort.biomarkers[b],
                     shown(values.front().first), values.size());
}

bool are_positive(const Measured& values) {
  return values.front().first > 0.0 && values.back().first > 0.0;
}

/// How many values at the front are farther from the others than these lie apart, twice as far if
/// they are few; where all are above 0, after taking logarithms: many biomarkers are skewed.
std::size_t count_apart(const Measured& values) {
  constexpr std::size_t kMost = 3, kFew = 20;
  const auto at = [&, are_positive = are_positive(values)](std::size_t i) {
    return are_positive ? std::log(values[i].first) : values[i].first;
  };
  std::size_t apart = 0;
  for (std::size_t n = 1; n <= kMost && n + kFewestValues <= values.size(); ++n) {
    const double width = std::abs(at(values.size() - 1) - at(n));
    if (std::abs(at(n) - at(n - 1)) > (values.size() < kFew ? 2.0 : 1.0) * width) apart = n;
  }
  return apart;
}

/// Values at either end that lie apart from all others, and those that gross_errors does not
/// believe, unless they follow close upon the others.
/// @param errors  of the cohort
std::string far_values(const Cohort& cohort, std::size_t b, const Measured& values,
                       const std::vector<GrossError>& errors) {
  if (values.size() < kFewestValues) return {};
  auto reversed = values;
  std::reverse(reversed.begin(), reversed.end());
  const auto low = count_apart(values), high = count_apart(reversed);
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
  constexpr double kClose = 0.25;  // of the width of those believed
  const auto distance = [are_positive = are_positive(values)](double from, double to) {
    return are_positive ? std::log(to / from) : to - from;
  };
  const double close = kClose * distance(first_believed->first, (last_believed - 1)->first);
  if (first != first_believed &&
      distance((first_believed - 1)->first, first_believed->first) > close)
    first = first_believed;
  if (last != last_believed && distance((last_believed - 1)->first, last_believed->first) > close)
    last = last_believed;
  Measured far(values.begin(), first);
  far.insert(far.end(), last, values.end());
  return far.empty() ? std::string()
                     : fmt::format("{} is far out in {}, all others are {} to {}: slips?",
                                   cohort.biomarkers[b], whose(cohort, far), shown(first->first),
                                   shown((last - 1)->first));
}

/// A value that many participants share while hardly any other is shared, between the ends of the
/// range: a mean put in, or a cell that was filled down.
std::string filled_in(const Cohort& cohort, std::size_t b, const Measured& values) {
  constexpr std::size_t kFewestShared = 4, kMostOtherwise = 2;
  constexpr double kLeastShare = 0.05;
  const bool are_whole = std::all_of(values.begin(), values.end(), [](const auto& value) {
    return value.first == std::round(value.first);
  });
  if (values.size() < kFewestValues || are_whole) return {};  // scores share values
  std::vector<std::pair<std::size_t, double>> shared;         // how often, and what
  for (const auto& [x, j] : values)
    if (shared.empty() || shared.back().second != x)
      shared.emplace_back(1, x);
    else
      ++shared.back().first;
  std::sort(shared.rbegin(), shared.rend());
  const auto [most, value] = shared.front();
  const auto next = shared.size() > 1 ? shared[1].first : std::size_t{0};
  const bool is_inside = value > values.front().first && value < values.back().first;
  if (!is_inside || most < kFewestShared || next > kMostOtherwise ||
      static_cast<double>(most) < kLeastShare * static_cast<double>(values.size()))
    return {};
  return fmt::format(
      "{} is {} in {} participants, and no other value is in more than {}: "
      "filled in?",
      cohort.biomarkers[b], shown(value), most, next);
}

/// Values below 0 that would be among the others without their sign, where nothing is near 0.
std::string lost_signs(const Cohort& cohort, std::size_t b, const Measured& values) {
  constexpr double kMostBelow = 0.25;        // of all
  constexpr double kExpectedNearZero = 4.0;  // values, were they spread evenly
  const auto first_above = std::find_if(values.begin(), values.end(),
                                        [](const auto& value) { return value.first >= 0.0; });
  const Measured below(values.begin(), first_above);
  if (values.size() < kFewestValues || below.empty() || first_above == values.end()) return {};
  const auto n = static_cast<double>(values.size());
  const double gap = std::min(first_above->first, -below.back().first);
  const double range = values.back().first - first_above->first;
  const bool fit_in = -below.front().first <= values.back().first;
  if (!fit_in || static_cast<double>(below.size()) > kMostBelow * n ||
      2.0 * gap * n < kExpectedNearZero * range)
    return {};
  return fmt::format("{} is below 0 in {}, and nothing else is less than {}: signs too many?",
                     cohort.biomarkers[b], whose(cohort, below), shown(first_above->first));
}

/// Values above 0 in two ranges, at least five times apart and farther than either is wide, with
/// patients or healthy participants in both; or, if these are the groups, a hundred times apart.
std::string two_units(const Cohort& cohort, std::size_t b, const Measured& values) {
  constexpr double kLeast = 5.0, kLeastOfGroups = 100.0;
  constexpr std::size_t kFewestOfRange = 2;
  if (values.size() < kFewestValues || values.front().first <= 0.0) return {};
  std::size_t split = 1;
  const auto ratio = [&](std::size_t i) { return values[i].first / values[i - 1].first; };
  for (std::size_t i = 2; i < values.size(); ++i)
    if (ratio(i) > ratio(split)) split = i;
  const double widest = std::max(values[split - 1].first / values.front().first,
                                 values.back().first / values[split].first);
  const auto count_below = split, count_above = values.size() - split;
  if (ratio(split) < std::max(kLeast, widest) ||
      std::min(count_below, count_above) < kFewestOfRange)
    return {};
  std::array<std::array<std::size_t, 2>, 2> counts{};  // by group and range
  for (std::size_t i = 0; i < values.size(); ++i)
    ++counts[cohort.diseased.empty() ? 0 : cohort.diseased[values[i].second]][i < split ? 0 : 1];
  const bool is_mixed = std::any_of(counts.begin(), counts.end(),
                                    [](const auto& of) { return of[0] > 0 && of[1] > 0; });
  if (!is_mixed && ratio(split) < kLeastOfGroups) return {};
  return fmt::format(
      "{} is {} to {} in {} participants and {} to {} in {}, with nothing between: "
      "two units?",
      cohort.biomarkers[b], shown(values.front().first), shown(values[split - 1].first),
      count_below, shown(values[split].first), shown(values.back().first), count_above);
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

std::vector<std::string> possible_codes(const Cohort& cohort) {
  std::vector<std::string> out;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    const auto [codes, others] = without_codes(counts_of(cohort, b));
    for (const double code : codes)
      out.push_back(
          fmt::format("{} is {} in {}, all others are {} to {}: a code for a missing value? "
                      "'missing_markers' takes it",
                      cohort.biomarkers[b], shown(code), by_diagnosis(cohort, b, code),
                      shown(others.front().first), shown(others.back().first)));
  }
  return out;
}

std::vector<std::string> odd_values(const Cohort& cohort) {
  std::vector<Measured> all;
  auto without_codes_of_any = cohort;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    all.push_back(measured(cohort, b));
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      without_codes_of_any.measurements(j, b) = kMissingValue;
    for (const auto& [x, j] : all[b]) without_codes_of_any.measurements(j, b) = x;
  }
  const auto errors = gross_errors(without_codes_of_any);
  std::vector<std::string> out;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    const auto& values = all[b];
    for (const auto& odd :
         {one_value(cohort, b, values), lost_signs(cohort, b, values), two_units(cohort, b, values),
          far_values(cohort, b, values, errors), filled_in(cohort, b, values)})
      if (!odd.empty()) {
        out.push_back(odd);
        break;  // one reason is enough
      }
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
