#include "conformance/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <numeric>

namespace tempo::conformance {
namespace {

/// P(K > lambda) = 2 sum_{i >= 1} (-1)^(i-1) exp(-2 i^2 lambda^2), Kolmogorov's law.
double kolmogorov_tail(double lambda) {
  if (lambda < 0.2) return 1.0;  // the series converges slowly; the tail differs from 1 by < 1e-12
  double sum = 0.0;
  double term = 1.0;
  for (int i = 1; std::abs(term) > 1e-17 * std::abs(sum); ++i) {
    term = (i % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * i * i * lambda * lambda);
    sum += term;
  }
  return std::clamp(sum, 0.0, 1.0);
}

double two_sided(double z) { return std::erfc(std::abs(z) / std::sqrt(2.0)); }

}  // namespace

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance(std::span<const double> values) {
  const double centre = mean(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return sum / static_cast<double>(values.size() - 1);
}

double ks_p_value(std::vector<double> sample, const std::function<double(double)>& cdf) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double expected = cdf(sample[i]);
    distance = std::max({distance, expected - static_cast<double>(i) / n,
                         static_cast<double>(i + 1) / n - expected});
  }
  return kolmogorov_tail(distance * std::sqrt(n));
}

double ks_p_value(std::vector<double> first, std::vector<double> second) {
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  const auto n = static_cast<double>(first.size());
  const auto m = static_cast<double>(second.size());
  double distance = 0.0;
  for (auto i = first.begin(), j = second.begin(); i != first.end() && j != second.end();) {
    const double value = std::min(*i, *j);
    i = std::find_if(i, first.end(), [=](double x) { return x > value; });
    j = std::find_if(j, second.end(), [=](double x) { return x > value; });
    distance = std::max(distance, std::abs(static_cast<double>(i - first.begin()) / n -
                                           static_cast<double>(j - second.begin()) / m));
  }
  return kolmogorov_tail(distance * std::sqrt(n * m / (n + m)));
}

double chi_square_p_value(std::span<const double> observed, std::span<const double> expected) {
  const double scale = std::accumulate(observed.begin(), observed.end(), 0.0) /
                       std::accumulate(expected.begin(), expected.end(), 0.0);
  double statistic = 0.0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const double difference = observed[i] - scale * expected[i];
    statistic += difference * difference / (scale * expected[i]);
  }
  const boost::math::chi_squared law(static_cast<double>(observed.size() - 1));
  return boost::math::cdf(boost::math::complement(law, statistic));
}

double mean_p_value(double sample_mean, std::size_t n, double expected, double sd) {
  return two_sided((sample_mean - expected) / sd * std::sqrt(static_cast<double>(n)));
}

double welch_p_value(std::span<const double> first, std::span<const double> second) {
  const double error = std::sqrt(variance(first) / static_cast<double>(first.size()) +
                                 variance(second) / static_cast<double>(second.size()));
  const double difference = mean(first) - mean(second);
  return error == 0.0 ? (difference == 0.0 ? 1.0 : 0.0) : two_sided(difference / error);
}

}  // namespace tempo::conformance
