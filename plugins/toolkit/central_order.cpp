#include "tempo/toolkit/central_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tempo/toolkit/normal_mixture.hpp"

namespace tempo::toolkit {

double mallows_cost(const Matrix& p, std::span<const std::size_t> order) {
  double sum = 0.0;
  for (std::size_t j = 0; j < p.rows(); ++j)
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t k = i + 1; k < order.size(); ++k) {
        const double paid = p(j, order[k]) - p(j, order[i]);
        if (paid > 0.0) sum += paid;  // false for NaN
      }
  return sum / static_cast<double>(p.rows());
}

double adjacent_gain(const Matrix& p, std::span<const std::size_t> order, std::size_t position) {
  const std::size_t a = order[position], b = order[position + 1];
  double sum = 0.0;
  for (std::size_t j = 0; j < p.rows(); ++j) {
    const double difference = p(j, b) - p(j, a);
    if (!std::isnan(difference)) sum += difference;
  }
  return sum / static_cast<double>(p.rows());
}

bool apply_best_adjacent_swap(const Matrix& p, std::span<std::size_t> order) {
  double best = 0.0;
  std::size_t at = order.size();
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const double gain = adjacent_gain(p, order, i);
    if (gain <= best) continue;
    best = gain;
    at = i;
  }
  if (at == order.size()) return false;
  std::swap(order[at], order[at + 1]);
  return true;
}

std::vector<double> column_means(const Matrix& p) {
  std::vector<double> means(p.cols()), column;
  for (std::size_t b = 0; b < p.cols(); ++b) {
    column.clear();
    for (std::size_t j = 0; j < p.rows(); ++j)
      if (!std::isnan(p(j, b))) column.push_back(p(j, b));
    std::sort(column.begin(), column.end());
    means[b] = pairwise_sum(column) / static_cast<double>(column.size());
  }
  return means;
}

std::vector<std::size_t> order_by(std::span<const double> keys, std::span<const std::size_t> ties) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (keys[a] != keys[b]) return keys[a] < keys[b];
    return !ties.empty() && ties[a] < ties[b];
  });
  return order;
}

}  // namespace tempo::toolkit
