#pragma once

// Simulation-based calibration: where truth is drawn from the prior, the distribution function of
// every exact posterior at the truth is uniform, over cohorts. Source: Talts, Betancourt, Simpson,
// Vehtari and Gelman 2018, arXiv:1804.06788. Includes Catch2 last.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "statistics.hpp"
#include "support.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::test {

/// Places of truths in their posteriors, uniform on (0, 1) if all is right.
class Places {
 public:
  void add(double place) { of_cohort_.push_back(place); }

  /// Ends a cohort, whose places depend on each other.
  void next_cohort(RandomStream& stream) {
    one_each_.push_back(of_cohort_[stream.index(of_cohort_.size())]);
    double sum = 0.0, squares = 0.0, inside = 0.0;
    for (const double u : of_cohort_) {
      sum += u;
      squares += (u - 0.5) * (u - 0.5);
      inside += u > 0.05 && u < 0.95 ? 1.0 : 0.0;
    }
    const auto n = static_cast<double>(of_cohort_.size());
    means_.push_back(sum / n);
    spreads_.push_back(squares / n);
    coverages_.push_back(inside / n);
    of_cohort_.clear();
  }

  /// Of one place of every cohort.
  double histogram_p_value(std::size_t classes) const {
    std::vector<double> counts(classes), expected(classes, 1.0);
    for (const double u : one_each_)
      ++counts[std::min(static_cast<std::size_t>(u * static_cast<double>(classes)), classes - 1)];
    return chi_square_p_value(counts, expected);
  }
  // Of the cohorts' means: posteriors too early or too late; too narrow or too wide.
  double mean_p_value() const { return p_value(means_, 0.5); }
  double spread_p_value() const { return p_value(spreads_, 1.0 / 12.0); }
  double coverage_p_value() const { return p_value(coverages_, 0.9); }
  double mean() const { return test::mean(means_); }
  double spread() const { return test::mean(spreads_); }
  double coverage() const { return test::mean(coverages_); }

 private:
  static double p_value(const std::vector<double>& values, double expected) {
    return test::mean_p_value(test::mean(values), values.size(), expected,
                              std::sqrt(variance(values)));
  }
  std::vector<double> of_cohort_, one_each_, means_, spreads_, coverages_;
};

/// Anywhere in the step of a discrete distribution function at the truth.
inline double place(std::span<const double> probabilities, std::size_t truth,
                    RandomStream& stream) {
  double below = 0.0;
  for (std::size_t k = 0; k < truth; ++k) below += probabilities[k];
  return below + stream.uniform() * probabilities[truth];
}

inline void require_uniform(const std::string& what, const Places& places, std::size_t classes) {
  CAPTURE(what, places.mean(), places.spread(), places.coverage());
  CHECK(places.histogram_p_value(classes) > kRarely);
  CHECK(places.spread_p_value() > kRarely);
  CHECK(places.coverage_p_value() > kRarely);
}

}  // namespace tempo::test
