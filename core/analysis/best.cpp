#include "analysis/best.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/spread.hpp"

namespace tempo {
namespace {

/// Of two cohorts the interval of a difference is a matter of luck: with one degree of freedom it
/// is 12.7 standard errors to either side.
constexpr std::size_t kLeastCohorts = 3;

/// Of the largest score: below this, differences are those of rounding.
constexpr double kRounding = 1e-12;

double rounding_of(const std::vector<CohortScores>& methods) {
  double largest = 0.0;
  for (const auto& scores : methods)
    for (const auto& [cohort, score] : scores) largest = std::max(largest, std::abs(score));
  return kRounding * largest;
}

double mean_of(const CohortScores& scores) {
  double sum = 0.0;
  for (const auto& [cohort, score] : scores) sum += score;
  return sum / static_cast<double>(scores.size());
}

/// Whether the scores cannot be told from those of the best.
bool is_tied(const CohortScores& scores, const CohortScores& best, double rounding) {
  std::vector<double> differences;
  for (const auto& [cohort, score] : scores)
    if (const auto other = best.find(cohort); other != best.end())
      differences.push_back(score - other->second);
  const auto found = spread(differences);
  return !found || found->mean <= found->half_width.value_or(0.0) + rounding;
}

}  // namespace

std::vector<bool> best_of(const std::vector<CohortScores>& methods) {
  std::vector<bool> out(methods.size());
  std::size_t most = 0;
  for (const auto& scores : methods) most = std::max(most, scores.size());
  if (most < kLeastCohorts) return out;
  const double rounding = rounding_of(methods);
  std::vector<std::size_t> compared, lowest;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < methods.size(); ++i)
    if (methods[i].size() == most) {
      compared.push_back(i);
      least = std::min(least, mean_of(methods[i]));
    }
  for (const auto i : compared)
    if (mean_of(methods[i]) <= least + rounding) lowest.push_back(i);
  std::size_t count = 0;
  for (const auto i : compared) {
    out[i] = std::all_of(lowest.begin(), lowest.end(), [&](std::size_t other) {
      return is_tied(methods[i], methods[other], rounding);
    });
    count += out[i];
  }
  if (count == compared.size()) out.assign(out.size(), false);
  return out;
}

}  // namespace tempo
