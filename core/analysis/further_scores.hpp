#pragma once

#include <functional>
#include <memory>
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
/// leave out participants whose stage the diagnosis tells.
const std::vector<FurtherScore>& posterior_scores();
/// By a metric of a plugin, named after it.
FurtherScore score_by(std::shared_ptr<const FitMetric> metric);

/// Works a score out for the good fits of cohorts with a truth. What the plugin of a metric throws
/// is thrown.
/// @param results  of that store, in its order
/// @return how many of these fits are of cohorts whose truth the store does not keep
/// @throws PluginError, NumericError; Error if what is kept is damaged
std::size_t add_further_score(const FurtherScore& score, Store& store, RunResults& results);

}  // namespace tempo
