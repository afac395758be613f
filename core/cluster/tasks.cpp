#include "cluster/tasks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "model/fault_text.hpp"
#include "run/models.hpp"
#include "run/run_folder.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

std::vector<Task> tasks_of(const ClusterFolder& folder,
                           const std::optional<Submission>& submission) {
  std::vector<Task> out;
  if (!submission) {
    out.push_back({.name = "run", .shard = {}, .folder = folder.run(), .fits = {}, .mark = {}});
    return out;
  }
  const auto add = [&](Shard::What what, std::size_t count) {
    for (std::size_t index = 1; index <= count; ++index) {
      const Shard shard{index, count, what};
      const auto where = folder.part(shard);
      out.push_back({.name = where.filename().string(),
                     .shard = shard,
                     .folder = where,
                     .fits = {},
                     .mark = {}});
    }
  };
  add(Shard::What::applied, submission->models);
  add(Shard::What::fits, submission->tasks);
  return out;
}

void add_outcomes(Store& store, TaskReport& report) {
  for (const auto& [key, outcome] : store.outcomes()) {
    auto& known = report.outcomes[key];
    if (known.status != FitStatus::ok) known = outcome;
  }
  for (const auto& model : store.models()) report.model_seconds[model.key] = model.seconds;
}

/// @throws Error naming a store that cannot be read, and what to do
std::unique_ptr<Store> store_of(const Task& task) {
  try {
    return RunFolder::earlier_store(task.folder);
  } catch (const std::exception& error) {
    throw Error(
        fmt::format("'{}' cannot be read: {}; remove this folder, and its fits are made again",
                    task.folder.string(), fault_text(error)));
  }
}

/// Whether a model that the task trains is not in its folder.
bool lacks_model(const Plan& plan, const Task& task, Store* store) {
  std::set<std::string> there;
  if (store != nullptr)
    for (const auto& model : store->models())
      if (fs::exists(Models::folder_in(task.folder) / (model.name + Models::kModelEnding)))
        there.insert(model.key);
  const Shard trains{
      task.shard.index, task.shard.count,
      task.shard.what == Shard::What::applied ? Shard::What::trainings : task.shard.what};
  for (std::size_t i = 0; i < plan.trainings.size(); ++i)
    if (trains.has_training(i) && !there.contains(plan.trainings[i].key)) return true;
  return false;
}

}  // namespace

TaskReport look_at_tasks(const Plan& plan, const ClusterFolder& folder,
                         const std::optional<Submission>& submission) {
  TaskReport report{tasks_of(folder, submission), {}, {}};
  if (submission)
    if (const auto whole = RunFolder::earlier_store(folder.run())) add_outcomes(*whole, report);
  const auto key = plan_key(plan.fits);
  for (auto& task : report.tasks) {
    // Before its results: a task that ends meanwhile is then taken for one that runs, and not for
    // one that ended without them.
    auto [mark, activity] = look_at(task.folder);
    task.mark = std::move(mark);
    task.activity = activity;
    if (!submission && task.mark) task.shard = task.mark->shard;
    const auto store = store_of(task);
    if (store) {
      add_outcomes(*store, report);
      task.is_of_other_plan = store->plan_key() != key;
    }
    task.lacks_model = lacks_model(plan, task, store.get());
  }
  for (auto& task : report.tasks) {
    const auto is_its = task.shard.fits_of(plan);
    for (std::size_t i = 0; i < is_its.size(); ++i) {
      if (!is_its[i]) continue;
      task.fits.push_back(i);
      const auto known = report.outcomes.find(plan.fits[i].key);
      if (known == report.outcomes.end() || known->second.status != FitStatus::ok) ++task.missing;
    }
    if (task.missing == 0 && task.shard.what == Shard::What::applied) task.lacks_model = false;
    if (!submission && !task.mark && task.missing == 0) task.activity = Activity::ended;
  }
  return report;
}

}  // namespace tempo
