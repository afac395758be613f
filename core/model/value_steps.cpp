#include "tempo/value_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tempo {

double step_between(std::vector<double> values) {
  // Of a replicate's continuous values two in three are shared, but few by three participants.
  constexpr std::size_t kLeastPerValue = 3;
  std::sort(values.begin(), values.end());
  std::size_t shared = 0, different = 0;
  double last = std::numeric_limits<double>::quiet_NaN();
  double least = std::numeric_limits<double>::infinity();
  for (auto from = values.begin(); from != values.end();) {
    const auto to = std::upper_bound(from, values.end(), *from);
    ++different;
    if (to - from > 1) {
      shared += static_cast<std::size_t>(to - from);
      if (const double step = *from - last; step < least) least = step;  // false for NaN
      last = *from;
    }
    from = to;
  }
  const bool are_shared = 2 * shared > values.size() && kLeastPerValue * different <= values.size();
  return are_shared && std::isfinite(least) ? least : 0.0;
}

double least_sd_of_steps(std::vector<double> values) {
  constexpr double kOfStep = 0.5;  // a sd on either side of the mean, and the step is covered
  return kOfStep * step_between(std::move(values));
}

bool are_few(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::size_t different = 0, most = 0;
  for (auto from = values.begin(); from != values.end(); ++different) {
    const auto to = std::upper_bound(from, values.end(), *from);
    most = std::max(most, static_cast<std::size_t>(to - from));
    from = to;
  }
  return different <= 5 || 10 * most > 3 * values.size();
}

std::string few_values(const std::string& biomarker) {
  return fmt::format(
      "few different values, or one in more than 30 % of participants, in '{}': its distributions "
      "are hardly known",
      biomarker);
}

}  // namespace tempo
