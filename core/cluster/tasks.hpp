#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cluster/cluster_folder.hpp"
#include "results/store.hpp"
#include "run/run_mark.hpp"
#include "study/plan.hpp"

namespace tempo {

/// A task of a run: it has a run folder of its own, or is a run that was not cut.
struct Task {
  std::string name;  ///< `model-3`, `fits-12`; `run` of a run that nobody submitted
  /// With Shard::What::applied for one that trains its model first; of a run that nobody submitted
  /// what its mark says.
  Shard shard;
  std::filesystem::path folder;
  std::vector<std::size_t> fits;  ///< positions in the plan
  std::optional<RunMark> mark;
  Activity activity = Activity::waiting;
  std::size_t missing = 0;   ///< of its fits, those without a good result
  bool lacks_model = false;  ///< a model that it trains is not there
  /// Its folder is of another plan: the experiment was changed since. A merge takes parts of one.
  bool is_of_other_plan = false;
  bool is_needed() const { return missing > 0 || lacks_model || is_of_other_plan; }
};

/// How far the tasks of a run are.
struct TaskReport {
  std::vector<Task> tasks;                      ///< those of models first
  std::map<std::string, FitOutcome> outcomes;   ///< of all stores together, by key; a good one wins
  std::map<std::string, double> model_seconds;  ///< of the models that are there, by key
};

/// Looks at the folders of all tasks, whatever works in them.
/// @param submission  absent: the run was not cut
TaskReport look_at_tasks(const Plan& plan, const ClusterFolder& folder,
                         const std::optional<Submission>& submission);

}  // namespace tempo
