#pragma once

#include "study.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::toolkit {

/// The normal-inverse-gamma prior of a component: mean m0 with the weight of n0 = 1 observation,
/// variance s0^2 with that of v0 = 1.
///
/// The posterior after observations of weight W, mean xb and sum of squares SS about it is of the
/// same form:
///   n = 1 + W,  mean = (m0 + W xb) / n,  v = 1 + W,  v s^2 = s0^2 + SS + W / n (xb - m0)^2
/// Source: Gelman et al. 2013, Bayesian Data Analysis (3rd edition), section 3.3.
struct ConjugatePosterior {
  ConjugatePosterior(const Normal& prior, const Moments& data);

  /// (mean, s): the published point estimate. s is the scale, not the posterior mean of the
  /// variance.
  Normal point(double least_sd) const;
  /// sigma^2 ~ v s^2 / chi^2_v, mu ~ N(mean, sigma^2 / n).
  Normal draw(double least_sd, RandomStream& stream) const;

  double weight;  ///< n = v
  double mean;
  double squares;  ///< v s^2
};

/// sum over the values of log N(x | normal); 0 for the missing distribution, of standard deviation
/// 0.
double log_likelihood(const Moments& data, const Normal& normal);

}  // namespace tempo::toolkit
