#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/summary.hpp"
#include "results/store.hpp"
#include "tempo/metrics.hpp"

namespace tempo {

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

}  // namespace tempo
