#include "tempo/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "tempo/error.hpp"

namespace tempo {
namespace {

void expect_same_size(const char* what, std::size_t found, std::size_t expected) {
  if (found != expected)
    throw ShapeError(std::string(what) + ": expected " + std::to_string(expected) +
                     " values, got " + std::to_string(found));
}

}  // namespace

double tau_distance(std::span<const double> scores, const Ranks& truth) {
  expect_same_size("event scores", scores.size(), truth.size());
  const auto sequence = sequence_by_score(scores);
  std::size_t discordant = 0;
  for (std::size_t i = 0; i < sequence.size(); ++i)
    for (std::size_t later = i + 1; later < sequence.size(); ++later)
      if (truth[sequence[i]] > truth[sequence[later]]) ++discordant;
  const auto pairs = sequence.size() * (sequence.size() - 1) / 2;
  return pairs == 0 ? 0.0 : static_cast<double>(discordant) / static_cast<double>(pairs);
}

double share_of_orders_as_near(double distance, std::size_t biomarkers) {
  if (!(distance >= 0.0 && distance <= 1.0))
    throw NumericError("tau distance: expected 0 to 1, got " + std::to_string(distance));
  const auto pairs = biomarkers < 2 ? std::size_t{0} : biomarkers * (biomarkers - 1) / 2;
  // The n-th biomarker put into a random order of the others makes 0..n-1 inversions, each as
  // likely. Shares rise up to the middle, so that what is subtracted there is little of what stays:
  // small shares keep their digits.
  std::vector<double> share(pairs + 1, 0.0);  // of orders with as many inversions
  share[0] = 1.0;
  for (std::size_t n = 2; n <= biomarkers; ++n) {
    auto more = share;
    double window = 0.0;
    for (std::size_t k = 0; k <= n * (n - 1) / 2; ++k) {
      window += share[k];
      if (k >= n) window -= share[k - n];
      more[k] = window / static_cast<double>(n);
    }
    share = std::move(more);
  }
  // Distances are multiples of half a pair; what a quotient is off by is far less than a quarter.
  const auto inversions = static_cast<std::size_t>(distance * static_cast<double>(pairs) + 0.25);
  return std::min(
      1.0, std::accumulate(share.begin(),
                           share.begin() + static_cast<std::ptrdiff_t>(inversions) + 1, 0.0));
}

double stage_mae(std::span<const double> stages, std::span<const int> truth,
                 std::size_t biomarkers) {
  expect_same_size("stages", stages.size(), truth.size());
  double sum = 0.0;
  for (std::size_t j = 0; j < stages.size(); ++j) {
    // nearbyint rounds half to even in the default rounding mode.
    const auto stage = std::clamp(std::nearbyint(stages[j]), 0.0, static_cast<double>(biomarkers));
    sum += std::abs(stage - truth[j]);
  }
  return sum / static_cast<double>(stages.size());
}

double sequence_mae(std::span<const double> scores, std::span<const double> event_times) {
  expect_same_size("event scores", scores.size(), event_times.size());
  if (scores.empty()) return 0.0;
  const auto [score_low, score_high] = std::minmax_element(scores.begin(), scores.end());
  const auto [time_low, time_high] = std::minmax_element(event_times.begin(), event_times.end());
  const auto score_range = *score_high - *score_low;
  // Summed in the order of events, so that no bit depends on the order of the columns.
  double sum = 0.0;
  for (const auto b : sequence_by_score(event_times)) {
    const auto share = score_range > 0.0 ? (scores[b] - *score_low) / score_range : 0.5;
    sum += std::abs(*time_low + share * (*time_high - *time_low) - event_times[b]);
  }
  return sum / static_cast<double>(scores.size());
}

void Calibration::add(std::span<const double> posterior, std::size_t truth) {
  if (truth >= posterior.size())
    throw ShapeError("calibration: expected a posterior of " + std::to_string(truth + 1) +
                     " values or more, got " + std::to_string(posterior.size()));
  const auto at = posterior.begin() + static_cast<std::ptrdiff_t>(truth);
  const double below = std::min(1.0, std::accumulate(posterior.begin(), at, 0.0));
  const double above = std::min(1.0, below + *at);
  // The share of the truth between two places; where its value was held impossible it is a point.
  const auto between = [&](double low, double high) {
    if (!(above > below)) return below >= low && (below < high || high == 1.0) ? 1.0 : 0.0;
    return std::max(0.0, std::min(high, above) - std::max(low, below)) / (above - below);
  };
  ++truths;
  inside += between(0.05, 0.95);
  const auto count = static_cast<double>(tenths.size());
  for (std::size_t i = 0; i < tenths.size(); ++i)
    tenths[i] += between(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
}

void Calibration::add(const Calibration& other) {
  truths += other.truths;
  inside += other.inside;
  for (std::size_t i = 0; i < tenths.size(); ++i) tenths[i] += other.tenths[i];
}

ScoreSum sum_of_scores(std::span<const double> scores) {
  const double n = static_cast<double>(scores.size());
  ScoreSum out{std::accumulate(scores.begin(), scores.end(), 0.0), 0.0};
  double squares = 0.0;
  for (const double score : scores) squares += (score - out.sum / n) * (score - out.sum / n);
  if (scores.size() > 1) out.standard_error = std::sqrt(n * squares / (n - 1.0));
  return out;
}

}  // namespace tempo
