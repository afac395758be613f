#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/summary.hpp"
#include "results/store.hpp"
#include "tempo/fit_metric.hpp"

namespace tempo {

/// A good fit and the truth, as far as a run keeps them.
struct FitWithTruth {
  const FitDetails& found;
  const SimulatedCohort& cohort;
  LabelUse labels = LabelUse::none;  ///< by the method
};

/// A score that a run does not keep, and how it is worked out from what the run keeps.
struct FurtherScore {
  Metric metric;                                  ///< Of::further
  std::function<double(const FitWithTruth&)> of;  ///< NaN: there is none
};

/// Of posteriors: rank_log_score, rank_inside_90, stage_log_score, stage_inside_90. Those of stages
/// leave out participants whose stage the diagnosis tells. Of cohorts with subtypes:
/// subtype_number_right.
const std::vector<FurtherScore>& further_scores();
/// By a metric of a plugin.
FurtherScore score_by(std::shared_ptr<const FitMetric> metric, std::string name);

/// Fits that got no score though they are good and of a cohort with a truth.
struct Unscored {
  std::size_t unknown = 0;     ///< the store does not keep the truth of their cohorts
  std::size_t failed = 0;      ///< what works the score out threw
  std::optional<FitId> first;  ///< of those that failed
  std::string error;           ///< its reason
};

/// Works a score out for the good fits of cohorts with a truth.
/// @param results  of that store, in its order, with ids
/// @throws Error if what is kept is damaged
Unscored add_further_score(const FurtherScore& score, Store& store, RunResults& results);

}  // namespace tempo
