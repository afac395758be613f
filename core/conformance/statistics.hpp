#pragma once

// Tests of distributions. A check on random draws fixes its seed, so it passes or fails for good;
// its p-value says how often a correct plugin would fail at a new seed.

#include <functional>
#include <span>
#include <vector>

namespace tempo::conformance {

/// A correct plugin fails a check against this at one new seed in ten thousand.
inline constexpr double kRarely = 1e-4;

double mean(std::span<const double> values);
double variance(std::span<const double> values);  ///< n - 1 in the denominator

/// Kolmogorov-Smirnov against a continuous distribution function; p-value from the limit law.
double ks_p_value(std::vector<double> sample, const std::function<double(double)>& cdf);
/// Kolmogorov-Smirnov of two samples; p-value from the limit law, too large where values are tied
/// or the observations of a sample are not identically distributed.
double ks_p_value(std::vector<double> first, std::vector<double> second);
/// Pearson's chi-square, two or more classes. Expected counts are rescaled to the observed total.
double chi_square_p_value(std::span<const double> observed, std::span<const double> expected);
/// Two-sided: a mean of n independent values with these moments lies this far off or further.
double mean_p_value(double sample_mean, std::size_t n, double expected, double sd);
/// Welch's test that two means are equal; normal limit, for samples of fifty or more.
double welch_p_value(std::span<const double> first, std::span<const double> second);

}  // namespace tempo::conformance
