#include "tempo/toolkit/mcmc_diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "tempo/error.hpp"

namespace tempo::toolkit {
namespace {

struct Halves {
  std::vector<std::span<const double>> draws;  // two per chain
  std::vector<double> means;
  double n = 0.0;                                                       // draws in each
  double within = 0.0;                                                  // W
  double between = 0.0;                                                 // B / n
  double variance() const { return (n - 1.0) / n * within + between; }  // var+
};

double mean_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Divided by n - 1.
double variance_of(std::span<const double> values) {
  const double mean = mean_of(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

Halves halves_of(const Matrix& draws) {
  if (draws.rows() == 0 || draws.cols() < 4)
    throw ShapeError(fmt::format("draws: expected [chains >= 1, draws >= 4], got [{}, {}]",
                                 draws.rows(), draws.cols()));
  Halves halves;
  const std::size_t n = draws.cols() / 2;
  halves.n = static_cast<double>(n);
  for (std::size_t chain = 0; chain < draws.rows(); ++chain)
    for (const auto half : {draws.row(chain).first(n), draws.row(chain).last(n)}) {
      halves.draws.push_back(half);
      halves.means.push_back(mean_of(half));
      halves.within += variance_of(half);
    }
  halves.within /= static_cast<double>(halves.draws.size());
  halves.between = variance_of(halves.means);
  return halves;
}

/// Mean over the halves of the autocovariance at a lag, divided by n.
double autocovariance(const Halves& halves, std::size_t lag) {
  double sum = 0.0;
  for (std::size_t h = 0; h < halves.draws.size(); ++h) {
    const auto draws = halves.draws[h];
    const double mean = halves.means[h];
    for (std::size_t i = lag; i < draws.size(); ++i)
      sum += (draws[i] - mean) * (draws[i - lag] - mean);
  }
  return sum / (halves.n * static_cast<double>(halves.draws.size()));
}

}  // namespace

double split_r_hat(const Matrix& draws) {
  const auto halves = halves_of(draws);
  if (halves.within > 0.0) return std::sqrt(halves.variance() / halves.within);
  return halves.between > 0.0 ? std::numeric_limits<double>::infinity() : 1.0;
}

double effective_sample_size(const Matrix& draws) {
  const auto halves = halves_of(draws);
  const double total = halves.n * static_cast<double>(halves.draws.size());
  if (!(halves.variance() > 0.0)) return total;
  const auto rho = [&](std::size_t lag) {
    return 1.0 - (halves.within - autocovariance(halves, lag)) / halves.variance();
  };
  const auto last = static_cast<std::size_t>(halves.n) - 1;
  double pair = 1.0 + rho(1), tau = -1.0;
  for (std::size_t lag = 2; pair > 0.0; lag += 2) {
    tau += 2.0 * pair;
    if (lag + 1 > last) break;
    pair = std::min(pair, rho(lag) + rho(lag + 1));
  }
  return total / std::max(tau, 1.0 / std::log10(total));
}

}  // namespace tempo::toolkit
