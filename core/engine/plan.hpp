#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/experiment.hpp"
#include "engine/store.hpp"

namespace tempo {

/// A fit to be made: where its parts stand in the study.
struct FitTask {
  std::size_t point = 0;
  std::size_t hypothesis = 0;
  std::size_t cohort = 0;  ///< index into HypothesisEntry::cohorts
  std::size_t method = 0;
};

/// The objects of one point of a study; immutable and shared by all threads.
struct PointObjects {
  std::vector<std::unique_ptr<GenerativeProcess>> processes;  ///< per hypothesis; null if read
  std::vector<std::unique_ptr<InferenceMethod>> methods;
};

/// All fits of a study, in the order of results.csv: point, hypothesis, cohort, method.
struct Plan {
  std::vector<FitTask> tasks;
  std::vector<PlannedFit> fits;                 ///< same order
  std::map<std::string, std::string> recipes;   ///< id -> JSON
  std::vector<PointObjects> objects;            ///< per point
  std::map<std::string, std::string> versions;  ///< plugin (`kind id`) -> version
};

/// Makes the objects and the content keys. A key covers all that the numbers depend on: plugin
/// versions and settings, seed, cohort number, biomarker table or the bytes of the files.
/// @throws PluginError if a plugin cannot make its object, InputError if a file cannot be read.
Plan make_plan(const Study& study, const Registry& registry);

/// Why a planned fit has to run again though its place in the results was filled before: what
/// differs between the recipes, one `path: old -> new` each. Empty if nothing was there before.
std::string why_stale(const Plan& plan, const PlannedFit& fit, Store& store);

}  // namespace tempo
