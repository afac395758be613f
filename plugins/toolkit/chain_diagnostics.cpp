#include "chain_diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace tempo::toolkit {
namespace {

/// Deviations of one half chain from its mean.
struct Half {
  explicit Half(std::span<const double> values) : deviations(values.begin(), values.end()) {
    for (const double value : values) mean += value;
    mean /= static_cast<double>(values.size());
    for (double& value : deviations) value -= mean;
  }

  /// Divided by n at every lag.
  double autocovariance(std::size_t lag) const {
    double sum = 0.0;
    for (std::size_t i = lag; i < deviations.size(); ++i)
      sum += deviations[i] * deviations[i - lag];
    return sum / static_cast<double>(deviations.size());
  }

  double mean = 0.0;
  std::vector<double> deviations;
};

}  // namespace

Convergence convergence_of(const std::vector<std::vector<double>>& chains) {
  const std::size_t half = chains.front().size() / 2;
  std::vector<Half> halves;
  for (const auto& chain : chains) {
    halves.emplace_back(std::span(chain).first(half));
    halves.emplace_back(std::span(chain).last(half));
  }
  const auto n = static_cast<double>(half), m = static_cast<double>(halves.size());

  double within = 0.0, mean = 0.0, of_means = 0.0;
  for (const auto& h : halves) {
    within += h.autocovariance(0) * n / (n - 1.0) / m;
    mean += h.mean / m;
  }
  for (const auto& h : halves) of_means += (h.mean - mean) * (h.mean - mean) / (m - 1.0);
  if (within == 0.0 && of_means == 0.0) return {1.0, m * n};
  if (within == 0.0) return {std::numeric_limits<double>::max(), m};
  const double variance = within * (n - 1.0) / n + of_means;

  const auto correlation = [&](std::size_t lag) {
    double covariance = 0.0;
    for (const auto& h : halves) covariance += h.autocovariance(lag) / m;
    return 1.0 - (within - covariance * n / (n - 1.0)) / variance;
  };
  double sum = 0.0, previous = std::numeric_limits<double>::infinity();
  for (std::size_t lag = 0; lag + 1 < half; lag += 2) {
    const double pair =
        std::min(previous, (lag == 0 ? 1.0 : correlation(lag)) + correlation(lag + 1));
    if (pair < 0.0) break;
    sum += previous = pair;
  }
  const double time = std::max(1.0, 2.0 * sum - 1.0);  // integrated autocorrelation time
  return {std::sqrt(variance / within), m * n / time};
}

}  // namespace tempo::toolkit
