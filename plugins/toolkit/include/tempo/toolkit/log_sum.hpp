#pragma once

// Sums of numbers that are given by their logarithms, the same bits on every CPU.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "portable_math.hpp"

namespace tempo::toolkit {

/// log of the sum; -inf where all are -inf.
/// @param logs  not empty
inline double log_sum(std::span<const double> logs) {
  const double top = *std::max_element(logs.begin(), logs.end());
  if (std::isinf(top)) return top;
  double sum = 0.0;
  for (const double value : logs) sum += portable_exp(value - top);
  return top + portable_log(sum);
}

/// The same of two.
inline double log_sum(double a, double b) {
  const double top = std::max(a, b);
  if (std::isinf(top)) return top;
  return top + portable_log(1.0 + portable_exp(std::min(a, b) - top));
}

/// log of the mean; -inf where all are -inf.
/// @param logs  not empty
inline double log_mean(std::span<const double> logs) {
  return log_sum(logs) - portable_log(static_cast<double>(logs.size()));
}

/// The numbers as shares of their sum.
/// @param logs  not empty, and not all -inf
inline std::vector<double> shares_of_logs(std::vector<double> logs) {
  const double top = *std::max_element(logs.begin(), logs.end());
  double sum = 0.0;
  for (double& value : logs) sum += value = portable_exp(value - top);
  for (double& value : logs) value /= sum;
  return logs;
}

}  // namespace tempo::toolkit
