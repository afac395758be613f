#include "analysis/spread.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "tempo/quantile.hpp"

namespace tempo {
namespace {

constexpr double kLow = 0.025, kHigh = 0.975;

std::vector<double> column_of(const std::vector<std::vector<double>>& lists, std::size_t column) {
  std::vector<double> out;
  out.reserve(lists.size());
  for (const auto& list : lists) out.push_back(list[column]);
  return out;
}

}  // namespace

double half_width_95(double sd, std::size_t count) {
  const auto n = static_cast<double>(count);
  return boost::math::quantile(boost::math::students_t(n - 1.0), kHigh) * sd / std::sqrt(n);
}

std::optional<Spread> spread(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  Spread out{values.size(), std::accumulate(values.begin(), values.end(), 0.0) / n, {}, {}};
  if (values.size() < 2) return out;
  double squares = 0.0;
  for (const auto value : values) squares += (value - out.mean) * (value - out.mean);
  out.sd = std::sqrt(squares / (n - 1.0));
  out.half_width = half_width_95(*out.sd, values.size());
  return out;
}

std::optional<Within> within(const std::vector<double>& values) {
  const auto found = spread(values);
  if (!found || !found->sd) return std::nullopt;
  if (values.size() < kIntervalReplicates) return Within{found->mean, *found->sd, 0.0, 0.0, false};
  auto sorted = values;
  std::sort(sorted.begin(), sorted.end());
  return Within{found->mean, *found->sd, quantile(sorted, kLow), quantile(sorted, kHigh)};
}

Within within_posterior(std::span<const double> probabilities, double first) {
  Within out;
  double square = 0.0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const double value = first + static_cast<double>(i);
    out.mean += probabilities[i] * value;
    square += probabilities[i] * value * value;
  }
  out.sd = std::sqrt(std::max(0.0, square - out.mean * out.mean));
  double below = 0.0;
  std::size_t low = 0;
  while (low + 1 < probabilities.size() && below + probabilities[low] <= kLow)
    below += probabilities[low++];
  double above = 0.0;
  std::size_t high = probabilities.size() - 1;
  while (high > low && above + probabilities[high] <= 1.0 - kHigh) above += probabilities[high--];
  out.low = first + static_cast<double>(low);
  out.high = first + static_cast<double>(high);
  return out;
}

std::vector<Spread> spread_of_columns(const std::vector<std::vector<double>>& lists,
                                      std::size_t columns) {
  std::vector<Spread> out;
  for (std::size_t column = 0; column < columns; ++column)
    out.push_back(spread(column_of(lists, column)).value_or(Spread{}));
  return out;
}

std::vector<std::optional<Within>> within_columns(const std::vector<std::vector<double>>& lists,
                                                  std::size_t columns) {
  std::vector<std::optional<Within>> out;
  for (std::size_t column = 0; column < columns; ++column)
    out.push_back(within(column_of(lists, column)));
  return out;
}

}  // namespace tempo
