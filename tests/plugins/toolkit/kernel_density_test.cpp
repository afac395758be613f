#include "tempo/toolkit/kernel_density.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "support.hpp"

namespace tempo::test {
using toolkit::KernelDensity;

namespace {

std::vector<double> some_points(std::size_t n) {
  auto draw = stream(3);
  std::vector<double> points;
  for (std::size_t i = 0; i < n; ++i) points.push_back(50.0 + 7.0 * draw.normal());
  return points;
}

double normal(double x, double mean, double sd) {
  return std::exp(-0.5 * std::pow((x - mean) / sd, 2)) / (sd * std::sqrt(2.0 * std::numbers::pi));
}

/// sum_i w_i N(x; X_i, s_i^2) with s_i = s h (g / f_i)^alpha, f the density of equal widths s h.
double by_definition(double x, const std::vector<double>& points, const std::vector<double>& shares,
                     double s, double h, double alpha) {
  const std::size_t n = points.size();
  std::vector<double> f(n, 0.0);
  double log_g = 0.0, sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t l = 0; l < n; ++l) f[i] += shares[l] * normal(points[i], points[l], s * h);
    log_g += shares[i] * std::log(f[i]);
  }
  for (std::size_t i = 0; i < n; ++i)
    sum += shares[i] * normal(x, points[i], s * h * std::pow(std::exp(log_g) / f[i], alpha));
  return sum;
}

double sd(const std::vector<double>& points) {
  const auto n = static_cast<double>(points.size());
  const double mean = std::accumulate(points.begin(), points.end(), 0.0) / n;
  double squares = 0.0;
  for (const double x : points) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / (n - 1.0));
}

double density_at(const KernelDensity& kernels, double x) {
  double out = 0.0;
  kernels.densities({&x, 1}, {&out, 1});
  return out;
}

}  // namespace

TEST_CASE("kernel density", "[toolkit][kernel_density]") {
  const auto points = some_points(37);
  const std::vector<double> shares(points.size(), 1.0 / 37.0);
  const double h = std::pow(37.0, -0.2);

  SECTION("is the sum that defines it, adaptive or not") {
    for (const double alpha : {0.0, 0.3}) {
      const auto kernels = KernelDensity::adaptive(points, {.alpha = alpha});
      REQUIRE(kernels.bandwidth() == Approx(h).epsilon(1e-14));
      for (const double x : {20.0, 41.5, 50.0, 66.0, 95.0})
        REQUIRE(density_at(kernels, x) ==
                Approx(by_definition(x, points, shares, sd(points), h, alpha)).epsilon(1e-11));
    }
  }
  SECTION("keeps a bandwidth that was fitted to other points") {
    const std::vector<double> fewer(points.begin(), points.begin() + 12);
    const auto refitted = KernelDensity::adaptive(fewer, {.bandwidth = h});
    const std::vector<double> equal(12, 1.0 / 12.0);
    REQUIRE(refitted.bandwidth() == h);
    REQUIRE(density_at(refitted, 52.0) ==
            Approx(by_definition(52.0, fewer, equal, sd(fewer), h, 0.3)).epsilon(1e-11));
    REQUIRE(density_at(refitted, 52.0) !=
            Approx(density_at(KernelDensity::adaptive(fewer, {}), 52.0)).epsilon(1e-3));
  }
  SECTION("integrates to 1") {
    const auto kernels = KernelDensity::adaptive(points, {});
    std::vector<double> x, f(4000);
    for (std::size_t i = 0; i < f.size(); ++i) x.push_back(-50.0 + 0.05 * static_cast<double>(i));
    kernels.densities(x, f);
    REQUIRE(0.05 * std::accumulate(f.begin(), f.end(), 0.0) == Approx(1.0).epsilon(1e-9));
  }
  SECTION("takes weights as numbers of points") {
    std::vector<double> weights, repeated;
    for (std::size_t i = 0; i < points.size(); ++i) {
      weights.push_back(static_cast<double>(i % 3));
      repeated.insert(repeated.end(), i % 3, points[i]);
    }
    const auto n = static_cast<double>(repeated.size());
    const double population_sd = sd(repeated) * std::sqrt((n - 1.0) / n);
    const auto kernels = KernelDensity::weighted(points, weights, {});
    double squares = 0.0;
    for (const double w : weights) squares += w * w;
    REQUIRE(kernels.bandwidth() == Approx(std::pow(n * n / squares, -0.2)));
    REQUIRE(density_at(kernels, 47.0) ==
            Approx(by_definition(47.0, repeated, std::vector<double>(repeated.size(), 1.0 / n),
                                 population_sd, kernels.bandwidth(), 0.3)));
  }
  SECTION("underflows as far out as exp does; its logarithm with a point anywhere is finite") {
    const auto kernels = KernelDensity::adaptive(std::vector{-1.0, 1.0}, {.alpha = 0.0});
    const double width = std::sqrt(2.0) * std::pow(2.0, -0.2);
    for (const double widths : {30.0, 37.5, 38.0}) {  // exp(-0.5 38^2) is subnormal
      const double x = 1.0 + widths * width;
      const double expected = 0.5 * normal(x, 1.0, width);
      REQUIRE(expected > 0.0);
      REQUIRE(density_at(kernels, x) == Approx(expected).epsilon(1e-6));
    }
    REQUIRE(density_at(kernels, 1.0 + 38.7 * width) == 0.0);
    double out = 0.0;
    const double x = 1e9;
    kernels.log_densities({&x, 1}, 1e10, {&out, 1});
    REQUIRE(out == Approx(std::log(1e-10 / 3.0)));
  }
}

}  // namespace tempo::test
