#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels.hpp"
#include "tempo/toolkit/conjugate_normal.hpp"

namespace tempo::sa_ebm {

using toolkit::ConjugatePosterior;

/// How the distributions before and after an event are found, given the participants' stages.
enum class Variant { conjugate, mle, em, kde, hard_kmeans };

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
