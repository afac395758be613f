// tempo status: how far a run is, by what its tasks left in its folder.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <set>

#include "cli/command.hpp"
#include "cli/screen.hpp"
#include "cluster/tasks.hpp"
#include "data/names.hpp"
#include "report/table.hpp"
#include "run/fit_costs.hpp"
#include "run/progress.hpp"
#include "run/run_folder.hpp"
#include "study/experiment.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

void add_status_options(Options& options) {
  options.choice("format", "F", table_formats(), "", "table");
  add_registry_options(options);
  options.positional("RUN");
}

/// What becomes of a fit.
enum FitNow { kDone, kAtWork, kFailedNow, kLost, kWaiting, kFates };

/// The fits of a method, or of all.
struct MethodStatus {
  std::string method;
  std::size_t planned = 0;
  std::array<std::size_t, kFates> fits{};
  double used = 0.0;  ///< seconds
  double left = 0.0;  ///< likewise
  std::size_t of_unknown_cost =
      0;  ///< fits that are to be made, and nobody knows how long it takes
};

FitNow now_of(const Task& task, const FitOutcome& outcome) {
  if (outcome.status == FitStatus::ok) return kDone;
  if (task.activity == Activity::running) return kAtWork;
  if (is_failure(outcome.status)) return kFailedNow;
  const bool has_only_trained = task.shard.what == Shard::What::applied && task.mark &&
                                task.mark->shard.what == Shard::What::trainings &&
                                task.activity == Activity::ended && task.mark->code == kOk;
  return task.activity == Activity::waiting || has_only_trained ? kWaiting : kLost;
}

void add(const MethodStatus& of_method, MethodStatus& total) {
  total.planned += of_method.planned;
  for (std::size_t i = 0; i < kFates; ++i) total.fits[i] += of_method.fits[i];
  total.used += of_method.used;
  total.left += of_method.left;
  total.of_unknown_cost += of_method.of_unknown_cost;
}

/// By method, in the order of the plan; the last is all of them together.
std::vector<MethodStatus> by_method(const Plan& plan, const TaskReport& report,
                                    const FitCosts& costs) {
  std::vector<const Task*> task_of(plan.fits.size());
  for (const auto& task : report.tasks)
    for (const auto position : task.fits) task_of[position] = &task;
  std::vector<MethodStatus> out;
  std::set<std::string> counted_keys;  // results that several places of a sweep share
  for (std::size_t i = 0; i < plan.fits.size(); ++i) {
    if (task_of[i] == nullptr) continue;
    const auto& fit = plan.fits[i];
    const auto known = report.outcomes.find(fit.key);
    const auto outcome = known == report.outcomes.end() ? FitOutcome() : known->second;
    auto of_method = std::find_if(out.begin(), out.end(), [&](const MethodStatus& status) {
      return status.method == fit.id.method;
    });
    if (of_method == out.end()) of_method = out.insert(out.end(), {.method = fit.id.method});
    ++of_method->planned;
    const auto now = now_of(*task_of[i], outcome);
    ++of_method->fits[now];
    if (!counted_keys.insert(fit.key).second) continue;
    of_method->used += outcome.seconds;
    if (now == kDone) continue;
    const auto each = costs.seconds(plan, i);
    of_method->left += each.value_or(0.0);
    if (!each) ++of_method->of_unknown_cost;
  }
  MethodStatus all{.method = "all"};
  for (const auto& of_method : out) add(of_method, all);
  out.push_back(std::move(all));
  return out;
}

std::string seconds_in_words(double seconds) {
  return in_words(std::chrono::duration<double>(seconds));
}

Table table_of(const std::vector<MethodStatus>& methods) {
  Table out;
  out.columns = {"method", "planned", "done", "running",       "failed",
                 "lost",   "waiting", "used", "left_at_least", "of_unknown_cost"};
  Block block{.heading = "fits by method; seconds are those of fits, one after the other",
              .rows = {{"method", "planned", "done", "running", "failed", "lost", "waiting", "used",
                        "left"}},
              .name_columns = 1};
  for (const auto& of : methods) {
    std::vector<std::string> line{of.method, std::to_string(of.planned)};
    std::vector<Cell> row{of.method, of.planned};
    for (const auto count : of.fits) {
      line.push_back(std::to_string(count));
      row.emplace_back(count);
    }
    line.push_back(seconds_in_words(of.used));
    line.push_back(of.of_unknown_cost == 0 ? seconds_in_words(of.left)
                   : of.left > 0.0         ? "over " + seconds_in_words(of.left)
                                           : "unknown");
    row.insert(row.end(), {Cell(of.used), Cell(of.left), Cell(of.of_unknown_cost)});
    block.rows.push_back(std::move(line));
    out.rows.push_back(std::move(row));
  }
  out.blocks.push_back(std::move(block));
  return out;
}

/// `fits-3 (12_3 on node7)`
std::string name_in_words(const Task& task) {
  if (!task.mark) return task.name;
  const auto& [job, host] = std::pair(task.mark->job, task.mark->host);
  if (job.empty() && host.empty()) return task.name;
  const auto* const between = job.empty() || host.empty() ? "" : " ";
  return fmt::format("{} ({}{}{})", task.name, job, between, host.empty() ? "" : "on " + host);
}

/// `8 tasks: 5 ended, 1 running, 2 lost: fits-3 (12_3 on node7), ...`
std::string tasks_in_words(const std::vector<Task>& tasks) {
  struct Sort {
    Activity activity;
    const char* name;
    bool is_listed;
  };
  constexpr std::array<Sort, 5> kSorts{{{Activity::ended, "ended", false},
                                        {Activity::running, "running", false},
                                        {Activity::stopped, "stopped", true},
                                        {Activity::lost, "lost", true},
                                        {Activity::waiting, "not begun", false}}};
  auto text = counted(tasks.size(), "task") + ":";
  const char* separator = " ";
  for (const auto& [activity, name, is_listed] : kSorts) {
    std::vector<std::string> names;
    for (const auto& task : tasks)
      if (task.activity == activity) names.push_back(name_in_words(task));
    if (names.empty()) continue;
    text += fmt::format("{}{} {}{}", separator, names.size(), name,
                        is_listed ? " - " + in_short(names) : "");
    separator = "; ";
  }
  return text;
}

void print_models(const Plan& plan, const TaskReport& report) {
  if (plan.trainings.empty()) return;
  std::size_t trained = 0;
  double seconds = 0.0;
  for (const auto& training : plan.trainings)
    if (const auto known = report.model_seconds.find(training.key);
        known != report.model_seconds.end()) {
      ++trained;
      seconds += known->second;
    }
  std::cout << fmt::format("{} of {} trained, in {}\n", trained,
                           counted(plan.trainings.size(), "model"), seconds_in_words(seconds));
}

/// How long the rest takes with what is at work now.
void print_rest(const std::vector<Task>& tasks, const MethodStatus& all, bool is_submitted) {
  std::size_t jobs = 0;
  double memory = 0.0;
  for (const auto& task : tasks) {
    if (!task.mark) continue;
    memory = std::max(memory, task.mark->memory);
    if (task.activity == Activity::running) jobs += task.mark->jobs;
  }
  if (jobs > 0 && all.left > 0.0)
    std::cout << fmt::format("about {} with the {} at work now\n",
                             seconds_in_words(all.left / static_cast<double>(jobs)),
                             counted(jobs, "job"));
  if (memory > 0.0)
    std::cout << fmt::format("largest memory of a task: {:.0f} MiB\n", memory / 0x1p20);
  if (all.fits[kLost] + all.fits[kFailedNow] > 0)
    std::cout << "what is lost or failed is made by the same command again"
              << (is_submitted ? " with --failed\n" : "\n");
}

int status(const Options& options) {
  Problems problems;
  expect_format(options, problems);
  const fs::path run = options.argument("RUN");
  RunFolder::expect_store(run, problems);
  problems.throw_if_any();
  const ClusterFolder folder(run);
  const auto submission = folder.submission();
  const auto lock = submission ? folder.lock_file() : RunFolder::lock_file_in(run);
  const auto registry = open_registry(options);
  const auto study = read_study(lock, {}, registry, problems);
  problems.throw_if_any();
  const auto plan = make_plan(study, registry);

  const auto report = look_at_tasks(plan, folder, submission);
  FitCosts costs;
  for (const auto& part : submission ? folder.stored_parts() : std::vector<fs::path>{run}) {
    Store store(RunFolder::store_in(part), Database::Mode::read);
    costs.learn(store);
  }
  const auto methods = by_method(plan, report, costs);
  const auto format = format_of(options);
  std::cout << render(table_of(methods), format, screen_width());
  if (format != TableFormat::table) return kOk;
  print_models(plan, report);
  std::cout << tasks_in_words(report.tasks) << "\n";
  print_rest(report.tasks, methods.back(), submission.has_value());
  return kOk;
}

}  // namespace

const Command status_command{
    "status",
    "RUN [--format F]",
    "how far a run is, and what is lost of it",
    {{"tempo status runs/quickstart", "by method: done, running, failed, lost, seconds left"},
     {"tempo status runs/quickstart --format json", "the same for programs"}},
    add_status_options,
    status};

}  // namespace tempo::cli
