// tempo plan: what a run would do, what it would take from an earlier run, and why not more.

#include "study/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <utility>

#include "cli/command.hpp"
#include "cli/plan_cost.hpp"
#include "cli/screen.hpp"
#include "cli/study_options.hpp"
#include "data/names.hpp"
#include "report/misfit_text.hpp"
#include "report/text_layout.hpp"
#include "run/describe_run.hpp"
#include "run/models.hpp"
#include "run/rebuilt_plugins.hpp"
#include "run/run_folder.hpp"
#include "run/runner.hpp"

namespace tempo::cli {
namespace {

/// What a run would do with some fits.
struct Counts {
  std::size_t planned = 0;
  std::size_t cached = 0;
  std::size_t shared = 0;                           ///< the same as fits counted before
  std::map<std::string, std::size_t> reasons = {};  ///< why fits have to run -> how many

  bool operator==(const Counts&) const = default;
};

/// The fits of one method on the cohorts of one hypothesis.
struct Group {
  std::string point;  ///< of the sweep: `cohorts.participants=300 `, or empty
  std::string hypothesis;
  std::string method;
  Counts counts = {};
};

/// Prints a line, or several where the screen is narrower.
void print(const std::string& line) {
  std::cout << fmt::format("{}\n", fmt::join(wrapped(line, screen_width(), 2), "\n"));
}

void print_models(const Study& study, const Plan& plan, const Models& models, Store* store) {
  for (std::size_t i = 0; i < plan.trainings.size(); ++i) {
    const bool is_cached = models.states()[i] == ModelState::trained;
    print(fmt::format("model {}: {}", name_of(study, plan.trainings[i]),
                      is_cached ? "cached" : "to train; " + why_to_train(plan, i, models, store)));
  }
}

/// The group of a fit, made if there is none.
Group& find_group(std::vector<Group>& groups, const Study& study, const FitId& id) {
  std::string point;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
    point += fmt::format("{}={} ", study.axes[axis], id.axis_values[axis]);
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& known) {
    return known.point == point && known.hypothesis == generated_by(id) &&
           known.method == id.method;
  });
  return found != groups.end() ? *found
                               : groups.emplace_back(Group{point, generated_by(id), id.method});
}

/// Why a fit has to run: `new`, `failed before` or `stale: ...`.
std::string why_to_fit(const Plan& plan, const PlannedFit& fit,
                       const std::map<std::string, FitStatus>& statuses, Store* store) {
  if (statuses.contains(fit.key)) return "failed before";
  const auto reason = store != nullptr ? why_stale(plan, fit, *store) : std::string();
  return reason.empty() ? "new" : "stale: " + reason;
}

/// The fits of a plan by hypothesis and method.
/// @param fate  of each fit
std::vector<Group> group_fits(const Study& study, const Plan& plan, const std::vector<Fate>& fate,
                              const std::map<std::string, FitStatus>& statuses, Store* store) {
  std::vector<Group> groups;
  for (std::size_t position = 0; position < fate.size(); ++position) {
    const auto& fit = plan.fits[position];
    auto& counts = find_group(groups, study, fit.id).counts;
    ++counts.planned;
    if (fate[position] == Fate::cached) ++counts.cached;
    if (fate[position] == Fate::shared) ++counts.shared;
    if (fate[position] == Fate::to_do) ++counts.reasons[why_to_fit(plan, fit, statuses, store)];
  }
  return groups;
}

/// `h1 debm: 3 planned, 0 cached, 3 to run; 3 new`
std::string line_of(const std::string& name, const Counts& counts) {
  auto text = fmt::format("{}: {} planned, {} cached, {} to run", name, counts.planned,
                          counts.cached, counts.planned - counts.cached - counts.shared);
  if (counts.shared > 0) text += fmt::format(", {} the same as others", counts.shared);
  for (const auto& [reason, count] : counts.reasons) text += fmt::format("; {} {}", count, reason);
  return text;
}

/// A line for each method and hypothesis; one for the method where all its hypotheses are alike.
void print_fits(const std::vector<Group>& groups) {
  std::map<std::pair<std::string, std::string>, std::vector<const Group*>> by_method;
  for (const auto& group : groups) by_method[{group.point, group.method}].push_back(&group);
  for (const auto& group : groups) {
    const auto& [point, hypothesis, method, counts] = group;
    const auto& of_method = by_method[{point, method}];
    const bool are_alike = of_method.size() > 1 &&
                           std::all_of(of_method.begin(), of_method.end(), [&](const Group* other) {
                             return other->counts == group.counts;
                           });
    if (!are_alike)
      print(line_of(point + hypothesis + " " + method, counts));
    else if (&group == of_method.front())
      print(line_of(
          fmt::format("{}{} on each of {}", point, method, counted(of_method.size(), "hypothesis")),
          counts));
  }
}

/// The last line: all models and fits together.
void print_total(const Study& study, const Plan& plan, const Models& models,
                 const std::vector<Fate>& fate, const std::filesystem::path& folder) {
  const auto& states = models.states();
  const auto to_train = std::count_if(
      states.begin(), states.end(), [](ModelState state) { return state != ModelState::trained; });
  const auto trainings =
      plan.trainings.empty()
          ? std::string()
          : fmt::format("{}, {} to train; ", counted(plan.trainings.size(), "model"), to_train);
  print(fmt::format("{}{}; {} cached in '{}', {} to run", trainings, count_in_words(study, plan),
                    std::count(fate.begin(), fate.end(), Fate::cached), folder.string(),
                    std::count(fate.begin(), fate.end(), Fate::to_do)));
}

void warn_of_rebuilt(const Study& study, const Plan& plan, const Registry& registry, Store& store) {
  const auto now = stored_plan(study, plan, describe_run(study, plan, registry)).libraries;
  if (const auto text = in_words(rebuilt_plugins(plan, now, store.makers())); !text.empty())
    warn(text);
}

void add_plan_options(Options& options) {
  add_study_options(options);
  options.text("out", "FOLDER", "the run folder to compare with (default: runs/NAME)");
  add_cost_options(options);
  options.positional("EXPERIMENT");
}

int plan(const Options& options) {
  const auto shard = options.has("shard") ? shard_of(options) : Shard();
  const auto registry = open_registry(options);
  const auto study = open_study(options, registry);
  const auto planned = make_plan(study, registry);
  const auto folder = run_folder(options, study);
  const auto store = RunFolder::earlier_store(folder);
  const auto statuses = store ? store->statuses() : std::map<std::string, FitStatus>();

  const Models models(study, planned, folder, store.get());
  print_models(study, planned, models, store.get());
  if (store) warn_of_rebuilt(study, planned, registry, *store);
  const auto fate = fates(planned, shard, statuses);
  print_fits(group_fits(study, planned, fate, statuses, store.get()));
  for (const auto& line : misfit_lines(what_of(planned.misfits))) print(line);
  print_total(study, planned, models, fate, folder);
  if (asks_for_cost(options)) print_cost(options, study, planned, shard, fate, folder);
  return kOk;
}

}  // namespace

const Command plan_command{
    "plan",
    "EXPERIMENT.toml [options]",
    "show what a run would do, what is cached, and what is stale and why",
    {{"tempo plan experiments/quickstart.toml", "compare with runs/quickstart, if it is there"},
     {"tempo plan experiments/quickstart.toml --set cohorts.test=50 --out runs/large",
      "what larger numbers would need"}},
    add_plan_options,
    plan};

}  // namespace tempo::cli
