#include "analysis/stage_posterior.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace tempo {
namespace {

/// The most probable stage beyond a valley to the right of the mode; absent without one.
/// @param p  from the mode on
std::optional<std::size_t> peak_beyond(std::span<const double> p) {
  std::optional<std::size_t> best;
  std::size_t valley = 0;  // the last of the least probable ones before i
  for (std::size_t i = 1; i < p.size(); ++i) {
    const double beyond =
        std::accumulate(p.begin() + static_cast<std::ptrdiff_t>(valley) + 1, p.end(), 0.0);
    if (valley > 0 && p[valley] <= 0.5 * p[i] && beyond >= kSecondPeakShare &&
        (!best || p[i] > p[*best]))
      best = i;
    if (valley == 0 || p[i] <= p[valley]) valley = i;
  }
  return best;
}

std::optional<double> second_mode(std::span<const double> p, std::size_t mode) {
  const auto right = peak_beyond(p.subspan(mode));
  std::vector<double> mirrored(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(mode) + 1);
  std::reverse(mirrored.begin(), mirrored.end());
  const auto left = peak_beyond(mirrored);
  const auto at_left = left ? std::optional(mode - *left) : std::nullopt;
  const auto at_right = right ? std::optional(mode + *right) : std::nullopt;
  if (!at_left && !at_right) return std::nullopt;
  if (at_left && (!at_right || p[*at_left] >= p[*at_right])) return static_cast<double>(*at_left);
  return static_cast<double>(*at_right);
}

}  // namespace

StagePosterior stage_posterior(std::span<const double> probabilities) {
  const auto mode = static_cast<std::size_t>(
      std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin());
  std::size_t median = 0;
  double below = probabilities[0];
  while (below < 0.5 && median + 1 < probabilities.size()) below += probabilities[++median];
  return {.within = within_posterior(probabilities, 0.0),
          .mode = static_cast<double>(mode),
          .median = static_cast<double>(median),
          .second_mode = second_mode(probabilities, mode)};
}

}  // namespace tempo
