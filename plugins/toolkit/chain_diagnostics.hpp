#pragma once

#include <vector>

namespace tempo::toolkit {

struct Convergence {
  double r_hat = 1.0;              ///< near 1 where the chains agree
  double effective_samples = 0.0;  ///< independent draws that would tell the mean as well
};

/// Split R-hat and effective sample size of one quantity from several chains of equal length >= 4.
///
/// Each chain is cut in halves (of an odd length the middle is dropped), m in all, of length n:
///   W = mean of the halves' variances, B = n * variance of their means, V = (n - 1)/n W + B/n
///   R-hat = sqrt(V / W)
///   rho_t = 1 - (W - mean autocovariance at lag t) / V,   ESS = m n / (1 + 2 sum_t rho_t)
/// with the sum cut by Geyer's initial monotone sequence and ESS at most m n.
/// A quantity that never moves has R-hat 1 and all samples; one that differs only between halves
/// has the largest double and one effective sample per half.
///
/// Source: Vehtari, Gelman, Simpson, Carpenter, Buerkner 2021, Bayesian Analysis 16(2), 667-718,
/// Eqs. (1)-(4), (10), (11), without their rank transformation: ranks of events have no heavy
/// tails.
Convergence convergence_of(const std::vector<std::vector<double>>& chains);

}  // namespace tempo::toolkit
