#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/summary.hpp"
#include "results/store.hpp"
#include "tempo/metrics.hpp"

namespace tempo {

/// The share of truths in the 90 % intervals of their posteriors; absent where there are none.
std::optional<double> share_inside(const std::optional<Calibration>& calibration);

/// Where the truths of cohorts lie in a method's posteriors of one kind.
struct CohortsCalibration {
  Calibration all;  ///< of all cohorts' truths
  /// Of the share of a cohort's truths in their 90 % intervals, over cohorts: truths of one cohort
  /// are not independent.
  Estimate inside;
};

/// That of a method under a hypothesis, at one point of the sweep. A trained method counts where
/// is_in_distribution says so.
struct MethodCalibration {
  std::vector<std::string> axis_values;
  std::string hypothesis;
  std::string method;
  std::optional<CohortsCalibration> ranks;   ///< absent where the method has no such posterior
  std::optional<CohortsCalibration> stages;  ///< likewise
};
/// Of the methods that give posteriors, in the order of their first fits. Fits of versions that
/// kept none are left out, and so are real cohorts, whose truth nobody knows.
std::vector<MethodCalibration> calibration_by_method(Store& store);

/// Where the truths of cohorts that a hypothesis generated lie in the posteriors of one kind, and
/// whether they lie where they should if the method is exact and the hypothesis states the law of
/// what it draws: evenly.
struct PosteriorPlaces {
  Calibration all;  ///< of all cohorts' truths
  Estimate inside;  ///< of the share of a cohort's truths in their 90 % intervals; 0.9 is right
  Estimate mean;    ///< of their mean place in (0, 1); 0.5 is right
  /// Twelve times their mean square distance from 1/2. 1 is right; above it posteriors are too
  /// narrow, below it too wide.
  Estimate spread;
  /// The smallest p value of t tests over cohorts of these three and of the share in each tenth,
  /// times how many tests these are; at most 1. Truths of one cohort are not independent, cohorts
  /// are.
  double p = 1.0;

  /// By chance one of 200 posteriors does.
  bool disagree() const { return p < 0.005; }
};
/// Source: Talts, Betancourt, Simpson, Vehtari & Gelman 2018, arXiv:1804.06788.
/// @param cohorts  at least two, each with a truth
PosteriorPlaces places_of_truths(const std::vector<Calibration>& cohorts);

}  // namespace tempo
