#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels.hpp"
#include "study.hpp"

namespace tempo::sa_ebm {

/// How the distributions before and after an event are found, given the participants' stages.
enum class Variant { conjugate, mle, em, kde, hard_kmeans };

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

/// The weighted mean and standard deviation divided by the sum of weights minus `lost`.
Normal weighted_normal(const Moments& data, double lost);

/// All biomarkers' distributions, with what an evaluation of an order needs of them.
struct Components {
  std::vector<Normal> phi, theta;          ///< [B], standardised units
  std::shared_ptr<const Kernels> kernels;  ///< in place of phi and theta unless null
  ParticipantColumns log_ratios;           ///< [B, n] of the diseased
  /// sum over everyone and all biomarkers of log p(x | phi): the controls' likelihood, and the part
  /// of the diseased's that does not depend on the order.
  double base = 0.0;

  Components(const Study& study);  ///< the clusters' normals; nothing evaluated
  void evaluate(const Study& study, const toolkit::StageLikelihood& likelihood);
  /// The log ratios [B, J] of everyone.
  ParticipantColumns log_ratios_of_everyone(const toolkit::StageLikelihood& everyone) const;
  /// [J, B] P(k_j >= rank of b | x_j), whether b is measured or not; 0 for controls.
  /// @param log_pi  [B] of stages 1..B
  Matrix happened(const Study& study, std::span<const std::size_t> order,
                  std::span<const double> log_pi) const;
};

}  // namespace tempo::sa_ebm
