#pragma once

#include "tempo/matrix.hpp"

namespace tempo::toolkit {

// Have Markov chains of one quantity, draws [chains, draws per chain], found the same distribution,
// and how much do their draws tell about its mean? Each chain is cut into halves, of n draws each
// (an odd middle draw is left out), so that a chain that drifts disagrees with itself.
//
// With W the mean of the halves' variances (divided by n - 1), B the variance of their means times
// n, and var+ = (n - 1)/n W + B/n, the estimate of the variance of the quantity:

/// R-hat = sqrt(var+ / W); near 1 where the chains agree, and at most 1.01 where they can be
/// trusted. 1 where nothing varies at all; infinity where only the chains' means differ. Source:
/// Gelman et al. 2013, Bayesian Data Analysis (3rd edition), section 11.4; the threshold:
///   Vehtari, Gelman, Simpson, Carpenter and Buerkner 2021, Bayesian Analysis 16(2), 667-718.
/// @throws ShapeError for fewer than four draws per chain or no chain.
double split_r_hat(const Matrix& draws);

/// The number of independent draws that would give a mean as precise:
///   M n / tau, tau = -1 + 2 sum_t P_t, over pairs P_t = rho_2t + rho_2t+1 of autocorrelations
///   rho_t = 1 - (W - mean over halves of the autocovariance at lag t) / var+
/// up to the first pair that is not positive, each pair at most the one before (Geyer's initial
/// monotone sequence). At most M n log10(M n), as in the source; M n where nothing varies at all.
/// Source: Vehtari et al. 2021, section 3.2.
/// @throws ShapeError as above.
double effective_sample_size(const Matrix& draws);

}  // namespace tempo::toolkit
