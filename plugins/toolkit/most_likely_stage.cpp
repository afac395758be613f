#include "tempo/toolkit/most_likely_stage.hpp"

#include <algorithm>
#include <cmath>

namespace tempo::toolkit {

std::vector<double> stages_by_products(const Matrix& y, const Matrix& n,
                                       std::span<const std::size_t> order) {
  const std::size_t B = order.size();
  std::vector<double> stages(y.rows()), after(B + 1);  // after[k] = product of n from position k on
  for (std::size_t j = 0; j < y.rows(); ++j) {
    after[B] = 1.0;
    for (std::size_t k = B; k-- > 0;) {
      const double factor = n(j, order[k]);
      after[k] = std::isnan(factor) ? after[k + 1] : after[k + 1] * factor;
    }
    double before = 1.0, best = after[0];
    for (std::size_t k = 1; k <= B; ++k) {
      const double factor = y(j, order[k - 1]);
      if (!std::isnan(factor)) before *= factor;
      if (before * after[k] <= best) continue;
      best = before * after[k];
      stages[j] = static_cast<double>(k);
    }
  }
  return stages;
}

std::vector<double> stages_by_probabilities(const Matrix& p, std::span<const std::size_t> order) {
  Matrix y(p.rows(), p.cols()), n(p.rows(), p.cols());
  for (std::size_t j = 0; j < p.rows(); ++j)
    for (std::size_t b = 0; b < p.cols(); ++b) {
      y(j, b) = p(j, b) / (p(j, b) + (1.0 - p(j, b)) + 1e-10);
      n(j, b) = 1.0 - y(j, b);
    }
  return stages_by_products(y, n, order);
}

Staging stages_by_log_ratios(const Matrix& log_ratios, std::span<const std::size_t> order) {
  const std::size_t B = order.size(), J = log_ratios.rows();
  Staging staging{std::vector<double>(J), Matrix(J, B + 1)};
  for (std::size_t j = 0; j < J; ++j) {
    const auto row = staging.posterior.row(j);
    std::size_t best = 0;
    for (std::size_t k = 1; k <= B; ++k) {
      const double ratio = log_ratios(j, order[k - 1]);
      row[k] = row[k - 1] + (std::isnan(ratio) ? 0.0 : ratio);
      if (row[k] > row[best]) best = k;
    }
    const double largest = row[best];
    double sum = 0.0;
    for (double& value : row) sum += value = std::exp(value - largest);
    for (double& value : row) value /= sum;
    staging.stages[j] = static_cast<double>(best);
  }
  return staging;
}

double median_stage(std::span<const double> posterior) {
  double below = 0.0;
  for (std::size_t k = 0; k < posterior.size(); ++k)
    if ((below += posterior[k]) >= 0.5) return static_cast<double>(k);
  return static_cast<double>(posterior.size() - 1);
}

}  // namespace tempo::toolkit
