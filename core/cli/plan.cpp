// tempo plan: what a run would do, what it would take from an earlier run, and why not more.

#include "study/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "cli/command.hpp"
#include "run/models.hpp"
#include "run/run_folder.hpp"
#include "run/runner.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace {

/// What a run would do with the fits of one hypothesis and method.
struct Group {
  explicit Group(std::string its_name) : name(std::move(its_name)) {}

  std::string name;
  std::size_t planned = 0;
  std::size_t cached = 0;
  std::size_t shared = 0;                      ///< the same as fits counted before
  std::map<std::string, std::size_t> reasons;  ///< why fits have to run -> how many
};

int plan(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  add_study_options(options);
  options.add()("out", po::value<std::string>()->value_name("FOLDER"),
                "the run folder to compare with (default: runs/NAME)");
  options.positional("EXPERIMENT");
  options.parse(arguments);
  const auto registry = open_registry(options);
  const auto study = open_study(options, registry);
  const auto planned = make_plan(study, registry);
  const auto folder = run_folder(options, study);
  const auto store = RunFolder::earlier_store(folder);
  const auto statuses = store ? store->statuses() : std::map<std::string, ResultRow::Status>();

  const Models models(study, planned, folder, store.get());
  for (std::size_t i = 0; i < planned.trainings.size(); ++i)
    std::cout << fmt::format("model {}: {}\n", name_of(study, planned.trainings[i]),
                             models.states()[i] == ModelState::trained
                                 ? std::string("cached")
                                 : "to train; " + why_to_train(planned, i, models, store.get()));

  std::vector<Group> groups;
  const auto all = fates(planned, {}, statuses);
  for (std::size_t position = 0; position < all.size(); ++position) {
    const auto& fit = planned.fits[position];
    std::string name;
    for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
      name += fmt::format("{}={} ", study.axes[axis], fit.row.axis_values[axis]);
    name += fmt::format("{} {}", fit.row.hypothesis, fit.row.method);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& known) { return known.name == name; });
    if (group == groups.end()) group = groups.insert(groups.end(), Group(name));
    ++group->planned;
    if (all[position] == Fate::cached) ++group->cached;
    if (all[position] == Fate::shared) ++group->shared;
    if (all[position] != Fate::to_do) continue;
    if (statuses.contains(fit.key)) {
      ++group->reasons["failed before"];
    } else {
      const auto reason = store ? why_stale(planned, fit, *store) : std::string();
      ++group->reasons[reason.empty() ? "new" : "stale: " + reason];
    }
  }

  std::size_t cached = 0;
  for (const auto& group : groups) {
    cached += group.cached;
    std::cout << fmt::format("{}: {} planned, {} cached, {} to run", group.name, group.planned,
                             group.cached, group.planned - group.cached - group.shared);
    if (group.shared > 0) std::cout << fmt::format(", {} the same as others", group.shared);
    for (const auto& [reason, count] : group.reasons)
      std::cout << fmt::format("; {} {}", count, reason);
    std::cout << "\n";
  }
  const auto to_train = models.states().size() -
                        static_cast<std::size_t>(std::count(
                            models.states().begin(), models.states().end(), ModelState::trained));
  if (!planned.trainings.empty())
    std::cout << fmt::format("{}, {} to train; ", counted(planned.trainings.size(), "model"),
                             to_train);
  std::cout << fmt::format("{}; {} cached in '{}', {} to run\n", count_in_words(study), cached,
                           folder.string(), std::count(all.begin(), all.end(), Fate::to_do));
  return kOk;
}

}  // namespace

const Command plan_command{"plan", "EXPERIMENT.toml [options]",
                           "show what a run would do, what is cached, and what is stale and why",
                           plan};

}  // namespace tempo::cli
