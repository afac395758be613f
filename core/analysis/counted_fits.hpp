#pragma once

#include <cstddef>
#include <vector>

#include "analysis/fitted_cohorts.hpp"

namespace tempo {

/// A fit that does not count in what is said over fits.
struct UncountedFit {
  enum class Why {
    refuted,   ///< the evidence refutes the hypothesis that it rests on
    training,  ///< its model's training warned: no better than chance, or broken off
  };
  std::size_t fit = 0;
  Why why = Why::refuted;
};

/// Which fits of a cohort count in what is said over fits: consensus, means, intervals.
struct CountedFits {
  std::vector<std::size_t> fits;       ///< those that count; at least one where there is any fit
  std::vector<UncountedFit> left_out;  ///< the others
  bool none_left = false;  ///< each has a reason to be left out, so that all count nevertheless
};
/// A fit that the user named counts, whatever speaks against it.
CountedFits counted_fits(const FittedCohort& cohort);

/// What the evidence says against a fit's hypothesis; null where it does not refute it.
const RefutedHypothesis* refutation_of(const FittedCohort& cohort, const CohortFit& fit);

}  // namespace tempo
