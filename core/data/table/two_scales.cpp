// Values of one biomarker that are written in two ways: with and without a sign, in two units, raw
// and as z-scores.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "data/table/measured.hpp"

namespace tempo {

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
                     cohort.biomarkers[b], whose(cohort, below), in_six_digits(first_above->first));
}

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
      cohort.biomarkers[b], in_six_digits(values.front().first),
      in_six_digits(values[split - 1].first), count_below, in_six_digits(values[split].first),
      in_six_digits(values.back().first), count_above);
}

std::string two_scales(const Cohort& cohort, std::size_t b, const Measured& values) {
  constexpr std::size_t kFewest = 3;             // of either scale
  constexpr double kFarthest = 6.0;              // sds, of a z-score
  constexpr double kLeastSd = 0.3, kMostSd = 3;  // of z-scores
  if (values.size() < kFewestValues || values.front().first >= 0.0) return {};
  const auto first_raw = std::find_if(values.begin(), values.end(),
                                      [&](const auto& value) { return value.first > kFarthest; });
  const Measured scores(values.begin(), first_raw);
  const auto raw = static_cast<std::size_t>(values.end() - first_raw);
  if (scores.size() < kFewest || raw < kFewest || scores.front().first < -kFarthest ||
      scores.back().first <= 0.0 || are_whole(scores))
    return {};
  double sum = 0.0, squares = 0.0;
  for (const auto& [x, j] : scores) {
    sum += x;
    squares += x * x;
  }
  const auto n = static_cast<double>(scores.size());
  const double mean = sum / n, sd = std::sqrt(std::max(0.0, squares / n - mean * mean));
  const double gap = first_raw->first - scores.back().first;
  const bool are_scores = sd >= kLeastSd && sd <= kMostSd && std::abs(mean) <= 1.5 * sd;
  if (!are_scores || gap <= scores.back().first - scores.front().first) return {};
  return fmt::format(
      "{} is {} to {} in {} participants, as z-scores are, and {} to {} in {}: two scales?",
      cohort.biomarkers[b], in_six_digits(scores.front().first), in_six_digits(scores.back().first),
      scores.size(), in_six_digits(first_raw->first), in_six_digits(values.back().first), raw);
}

}  // namespace tempo
