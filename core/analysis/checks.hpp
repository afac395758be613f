#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/store.hpp"
#include "tempo/inference_method.hpp"

namespace tempo {

/// Checks by the names of a cohort's biomarkers.
std::vector<NamedCheck> named_checks(const std::vector<PredictiveCheck>& checks,
                                     const std::vector<std::string>& biomarkers);

/// How far the observed number lies from the replicated ones, in their sds; 0 if it is one of no
/// spread, infinite if they have none but it differs.
double distance(const NamedCheck& check);

/// What a fit's checks say all together.
struct CheckSummary {
  std::size_t checks = 0;
  std::size_t low = 0;                 ///< p < 0.05
  std::vector<const NamedCheck*> far;  ///< p < 0.05 and 3.5 sds off or more, the farthest first
  /// Expected `low` at most, if the hypothesis is true.
  double by_chance() const { return 0.05 * static_cast<double>(checks); }
};
CheckSummary summarise(const std::vector<NamedCheck>& checks);

/// The predictive checks of a fit of a run.
struct FitChecks {
  FitId id;
  std::vector<NamedCheck> checks;
};
/// Of the planned fits that made any, in plan order.
std::vector<FitChecks> checks_of_fits(Store& store);

/// What the checks of a method say all together, over its fits of one point of a sweep and one
/// hypothesis.
struct MethodChecks {
  /// What a check looks at.
  struct Subject {
    std::string statistic;
    std::string biomarker;
    bool diseased = false;
  };
  struct Farthest {
    Subject subject;
    double mean_distance = 0.0;  ///< over the fits, in sds
  };
  std::vector<std::string> axis_values;
  std::string hypothesis;  ///< generated_by
  std::string method;
  std::size_t fits = 0, checks = 0, low = 0, far = 0;
  std::optional<Farthest> farthest;  ///< absent without checks
};
/// In the order of their first fits.
std::vector<MethodChecks> checks_by_method(const std::vector<FitChecks>& fits);

}  // namespace tempo
