// Biomarkers that a table seems to give twice.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "data/names.hpp"
#include "data/table/numbers.hpp"
#include "data/table/oddities.hpp"

namespace tempo {
namespace {

/// What two biomarkers are of those who have both.
struct ComparedColumns {
  std::vector<std::pair<double, double>> values;  ///< ascending
  std::size_t all = 0;                            ///< participants with either
  std::size_t distinct = 0;                       ///< of the biomarker with fewer
  double spread = 0.0;  ///< of the second's inner eight tenths: codes far out do not count
};

/// Whether one rises, or falls, from most participants to the next where the other rises: what two
/// writings of one biomarker do, and cheap to see.
bool run_together(const Cohort& cohort, std::size_t a, std::size_t b) {
  constexpr double kLeast = 0.75;
  double x_before = kMissingValue, y_before = kMissingValue;
  double together = 0.0, against = 0.0;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    const double x = cohort.measurements(j, a), y = cohort.measurements(j, b);
    if (std::isnan(x) || std::isnan(y)) continue;
    const double turn = (x - x_before) * (y - y_before);
    together += turn > 0.0 ? 1.0 : 0.0;
    against += turn < 0.0 ? 1.0 : 0.0;
    x_before = x;
    y_before = y;
  }
  return std::max(together, against) > kLeast * (together + against);
}

std::size_t count_distinct(const std::vector<double>& ascending) {
  std::size_t count = ascending.empty() ? 0 : 1;
  for (std::size_t i = 1; i < ascending.size(); ++i) count += ascending[i] != ascending[i - 1];
  return count;
}

ComparedColumns compared(const Cohort& cohort, std::size_t a, std::size_t b) {
  ComparedColumns out;
  std::vector<double> first, second;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    const double x = cohort.measurements(j, a), y = cohort.measurements(j, b);
    out.all += !std::isnan(x) || !std::isnan(y);
    if (std::isnan(x) || std::isnan(y)) continue;
    out.values.emplace_back(x, y);
    first.push_back(x);
    second.push_back(y);
  }
  std::sort(out.values.begin(), out.values.end());
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  out.distinct = std::min(count_distinct(first), count_distinct(second));
  if (second.empty()) return out;
  const auto at = [&](double share) {
    return second[static_cast<std::size_t>(share * static_cast<double>(second.size() - 1))];
  };
  out.spread = at(0.9) - at(0.1);
  return out;
}

/// The factor between two biomarkers of which one is the other in another unit, with another
/// origin: up to a thousandth of its spread, for units are rounded.
std::optional<double> factor_between(const ComparedColumns& columns) {
  const double most = 1e-3 * columns.spread;
  const auto& [x_low, y_low] = columns.values.front();
  const auto& [x_high, y_high] = columns.values.back();
  const double factor = (y_high - y_low) / (x_high - x_low);
  if (!(most > 0.0) || !std::isfinite(factor) || factor == 0.0) return std::nullopt;
  for (const auto& [x, y] : columns.values)
    if (!(std::abs(y_low + factor * (x - x_low) - y) <= most)) return std::nullopt;
  return factor;
}

/// The greatest difference over the spread.
double greatest_difference(const ComparedColumns& columns) {
  double most = 0.0;
  for (const auto& [x, y] : columns.values) most = std::max(most, std::abs(x - y));
  return columns.spread > 0.0 ? most / columns.spread : std::numeric_limits<double>::infinity();
}

/// Whether one rises throughout where the other does, or falls throughout, with as many values.
bool is_transformed(const ComparedColumns& columns) {
  constexpr std::size_t kFewest = 13;  // that chance orders alike once in 3 10^9
  const auto& values = columns.values;
  if (columns.distinct < kFewest) return false;
  bool rises = true, falls = true;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const bool is_same = values[i].first == values[i - 1].first;
    rises = rises && (is_same ? values[i].second == values[i - 1].second
                              : values[i].second > values[i - 1].second);
    falls = falls && (is_same ? values[i].second == values[i - 1].second
                              : values[i].second < values[i - 1].second);
  }
  return rises || falls;
}

/// How two biomarkers are one, in words that follow their names; empty if they are not.
std::string how_equal(const ComparedColumns& columns, const std::string& x, const std::string& y) {
  constexpr double kMostLacking = 0.2;  // participants with one of the two only
  constexpr double kMostDiffering = 0.05;
  constexpr double kMostRounded = 0.01;  // of the spread
  constexpr std::size_t kFewestDistinct = 3, kFewestOfMost = 10;
  const auto count = columns.values.size();
  const auto n = static_cast<double>(count);
  if (columns.distinct < kFewestDistinct ||
      n < (1.0 - kMostLacking) * static_cast<double>(columns.all))
    return {};
  const auto differing = static_cast<std::size_t>(
      std::count_if(columns.values.begin(), columns.values.end(),
                    [](const auto& both) { return both.first != both.second; }));
  const std::string where = count == columns.all ? "throughout" : "wherever both are measured";
  if (differing == 0) return "are equal " + where;
  if (columns.distinct >= kFewestOfMost && static_cast<double>(differing) <= kMostDiffering * n)
    return fmt::format("are equal but for {}", counted(differing, "participant"));
  if (const auto factor = factor_between(columns))
    return std::abs(*factor - 1.0) < 1e-9
               ? "differ by the same " + where
               : fmt::format("are the same but for a unit ({:.6g} of {} for each of {})", *factor,
                             y, x);
  if (greatest_difference(columns) <= kMostRounded) return "are equal but for rounding";
  if (is_transformed(columns))
    return "put all participants in one order, as a value and its logarithm do";
  return {};
}

}  // namespace

std::vector<std::string> same_biomarkers(const Cohort& cohort) {
  constexpr std::size_t kMostCompared = 1'000;  // each with each, of all participants
  if (cohort.biomarker_count() > kMostCompared)
    return {fmt::format("of more than {} biomarkers nobody looks whether one is given twice",
                        kMostCompared)};
  std::vector<std::string> out;
  for (std::size_t a = 0; a < cohort.biomarker_count(); ++a)
    for (auto b = a + 1; b < cohort.biomarker_count(); ++b) {
      const auto& x = cohort.biomarkers[a];
      const auto& y = cohort.biomarkers[b];
      if (!run_together(cohort, a, b)) continue;
      if (const auto how = how_equal(compared(cohort, a, b), x, y); !how.empty())
        out.push_back(fmt::format("{} and {} {}: one biomarker, given twice?", x, y, how));
    }
  return out;
}

}  // namespace tempo
