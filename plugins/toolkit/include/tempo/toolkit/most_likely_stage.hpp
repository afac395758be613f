#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/matrix.hpp"

namespace tempo::toolkit {

// Stage k of a participant, 0..B, means that the first k events of `order` have happened. All
// stages are equally likely beforehand; missing values (NaN) are skipped:
//
//   P(x_j | k) = prod_{i < k} y_i * prod_{i >= k} n_i,     i over positions in `order`
//
// with y and n how well the value agrees with the event having and not having happened.

/// arg max_k from y and n [J, B] by plain products, the lowest k of equals; 0 where all underflow,
/// as in the published programs.
std::vector<double> stages_by_products(const Matrix& y, const Matrix& n,
                                       std::span<const std::size_t> order);

/// The same from p = P(event has happened) [J, B], with y = p / (p + (1 - p) + 1e-10) and n = 1 - y
/// as in pyebm: a certain event leaves n at 1e-10.
std::vector<double> stages_by_probabilities(const Matrix& p, std::span<const std::size_t> order);

struct Staging {
  std::vector<double> stages;  ///< [J] arg max_k, the lowest of equals
  Matrix posterior;            ///< [J, B + 1], rows sum to 1
};

/// The same from log(y / n) [J, B], NaN where missing. log P(x_j | k) is a constant plus the sum of
/// the first k log ratios, so that nothing can underflow.
Staging stages_by_log_ratios(const Matrix& log_ratios, std::span<const std::size_t> order);

/// The least s with P(k <= s) >= 1/2: no other stage has a smaller expected distance from the
/// participant's.
/// @param posterior  [B + 1], sums to 1
double median_stage(std::span<const double> posterior);

}  // namespace tempo::toolkit
