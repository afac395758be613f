#pragma once

// The generalist's network and its gradient by hand, on one thread.

#include <span>
#include <vector>

#include "generalist_shape.hpp"

namespace tempo::amortised {

/// What the network finds in one cohort, in its prepared order of columns.
struct GeneralistFound {
  std::vector<double> scores;           ///< [B], small = early
  std::vector<double> score_sds;        ///< [B] how unsure each is, for the order
  std::vector<double> stage_posterior;  ///< [asked, B + 1]
};

/// Cost: asked participants x B x channels x B, times the rounds, and B^2 for the tokens.
/// @param cohorts with equal numbers of biomarkers; four at once make good use of the processor
template <class Real>
std::vector<GeneralistFound> generalist_answers(const GeneralistShape& shape, const Real* weights,
                                                std::span<const PreparedCohort> cohorts);

/// The mean loss of simulated cohorts, times `scale`; `gradient`, laid out as the weights, grows by
/// its gradient, unless it is null.
template <class Real>
double generalist_loss(const GeneralistShape& shape, const Real* weights,
                       std::span<const PreparedCohort> cohorts, double scale, Real* gradient);

}  // namespace tempo::amortised
