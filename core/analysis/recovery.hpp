#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/fitted_cohorts.hpp"

namespace tempo {

/// How near an order and stages come to the truth.
struct Recovery {
  struct Distance {
    double tau = 0.0;        ///< order_distance: a pair that the fit has at one time counts half
    double by_chance = 0.0;  ///< share_of_orders_as_near: how easily a random order comes as near
  };
  enum class Of {
    fit,
    consensus,  ///< Kemeny's order of the fits that count; no stages
    median,     ///< all diseased at the median of their true stages: the error of stages that do
                ///< not differ
  };
  Of of = Of::fit;
  std::size_t fit = 0;          ///< of a fit: which
  std::optional<Distance> all;  ///< over all biomarkers of the cohort
  /// Over the biomarkers that separate; absent where all do, or fewer than two.
  std::optional<Distance> separating;
  std::optional<double> stage_mae;     ///< over all participants
  std::optional<double> diseased_mae;  ///< over the diseased; absent if there are none
};
/// Every fit; of several, then the consensus; then the median. Stages are events of the cohort's
/// own biomarkers: a truth may know of more.
/// @param cohort  with its truth
std::vector<Recovery> recovery(const FittedCohort& cohort);

}  // namespace tempo
