// tempo merge: join the run folders of shards, or of experiments.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include "cli/command.hpp"
#include "cli/report.hpp"
#include "cli/run_watch.hpp"
#include "data/names.hpp"
#include "data/text_file.hpp"
#include "report/tables.hpp"
#include "results/lock_files.hpp"
#include "run/models.hpp"
#include "run/run_folder.hpp"
#include "study/joinable.hpp"
#include "study/lock_file.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

/// @throws InputError with all faults of the options
void check_merge(const Options& options) {
  Problems problems;
  expect_given(options, "out", "FOLDER", problems);
  for (const auto& run : options.list("RUN"))
    if (!RunFolder::was_killed_at_once(run)) RunFolder::expect_store(run, problems);
  problems.throw_if_any();
}

/// A run that is to be put into another folder.
struct Part {
  fs::path run;
  std::string plan;  ///< Store::plan_key
  std::string name;  ///< of its experiment
};

/// What is to be put into one folder.
struct Parts {
  std::vector<Part> all;  ///< but for those that were killed at once and hold nothing
  bool are_one = true;    ///< shards of one experiment
};

/// Null, and a problem, where the store cannot be read: another tempo's layout, a damaged file.
std::unique_ptr<Store> readable_store(const fs::path& run, Problems& problems) {
  try {
    return RunFolder::earlier_store(run);
  } catch (const Error& error) {
    problems.add({run.string()}, error.what());
    return nullptr;
  }
}

/// @throws InputError with all that keeps the runs from being joined
Parts parts_of(const Options& options) {
  auto runs = options.list("RUN");
  const auto out = options.path("out");
  if (fs::exists(RunFolder::store_in(out))) runs.insert(runs.begin(), out.string());
  Parts parts;
  std::set<std::string> plans;
  Problems problems;
  for (const auto& run : runs) {
    auto store = readable_store(run, problems);
    if (store == nullptr) continue;
    if (const auto plan = store->plan_key(); !plan.empty()) {
      plans.insert(plan);
      const auto about = store->description();
      parts.are_one &= plans.size() == 1 && (!about || about->joined.empty());
      parts.all.push_back({run, plan, store->name()});
    }
  }
  // Parts of one run may be thousands, and are not all open at a time; experiments are few.
  if (!parts.are_one) {
    std::vector<std::unique_ptr<Store>> stores;
    std::vector<RunToJoin> to_join;
    for (const auto& part : parts.all) {
      stores.push_back(
          std::make_unique<Store>(RunFolder::store_in(part.run), Database::Mode::read));
      to_join.push_back({part.run, stores.back().get()});
    }
    expect_joinable(to_join, problems);
  }
  problems.throw_if_any();
  return parts;
}

/// Copies the models that the joined folder lacks, each with its history; one whose file is gone is
/// left to whoever needs it.
void take_models(const fs::path& run, const fs::path& out, Store& store) {
  std::set<std::string> known;
  for (const auto& model : store.models()) known.insert(model.key);
  Store part(RunFolder::store_in(run), Database::Mode::read);
  for (const auto& model : part.models()) {
    const auto file = Models::folder_in(run) / (model.name + Models::kModelEnding);
    if (known.contains(model.key) || !fs::exists(file)) continue;
    fs::create_directories(Models::folder_in(out));
    fs::copy_file(file, Models::folder_in(out) / file.filename(),
                  fs::copy_options::overwrite_existing);
    write_text_file(Models::folder_in(out) / (model.name + Models::kHistoryEnding),
                    to_csv(model.history));
    store.add(model);
  }
  // Of several models in one place the one of the plan is the latest.
  for (const auto& model : part.planned_models()) store.fill_slot(model.slot, model.key);
}

/// Takes over the first lock file that there is, or says that there is none.
void take_lock(const std::vector<Part>& parts, const RunFolder& folder) {
  for (const auto& part : parts) {
    const auto text = text_if_there(part.run / kLockFile);
    if (!text) continue;
    folder.write(kLockFile, moved_lock_file(*text, part.run, folder.path()));
    return;
  }
  warn(fmt::format("none of the parts has its {}, so '{}' has none either", kLockFile,
                   folder.path().string()));
}

/// The name of a lock file in a folder of several: that of its experiment, with a number where
/// another has it.
std::string lock_name(const std::string& experiment, std::size_t number) {
  const bool is_taken = number > 1 || experiment + kLockEnding == kLockFile;
  return experiment + (is_taken ? fmt::format("-{}", number) : "") + kLockEnding;
}

/// Takes over the lock files of runs that are joined: each experiment has one, called like it.
void take_locks(const std::vector<Part>& parts, const RunFolder& folder) {
  for (const auto& part : parts) {
    for (const auto& [file, content] : lock_files(part.run)) {
      const auto text = moved_lock_file(content, part.run, folder.path());
      const auto name = file == kLockFile
                            ? part.name
                            : file.substr(0, file.size() - std::string(kLockEnding).size());
      for (std::size_t number = 1;; ++number) {
        const auto there = text_if_there(folder.path() / lock_name(name, number));
        if (there && *there != text) continue;
        folder.write(lock_name(name, number), text);
        break;
      }
    }
  }
  fs::remove(folder.path() / kLockFile);
}

/// Writes the files of a run folder that are made of its store, and says what it holds.
void write_results(Store& store, const RunFolder& folder) {
  if (const auto text = intake_text(store.cohorts()); !text.empty())
    folder.write("intake.txt", text);
  const auto results = store.results();
  folder.write("results.csv", results_csv(results));
  const auto finished =
      std::count_if(results.rows.begin(), results.rows.end(),
                    [](const FitRow& row) { return row.result.status != FitStatus::pending; });
  std::cout << finished << " of " << counted(results.rows.size(), "planned fit")
            << " have a result\n"
            << "results: " << (folder.path() / "results.csv").string() << "\n";
  show_report(store, folder.path(), results);
}

void add_merge_options(Options& options) {
  options.text("out", "FOLDER", "the run folder that receives all results (required)");
  options.positional_list("RUN");
}

/// Puts the results of all parts into the store, and says what became of several experiments.
void take_results(const Parts& parts, const fs::path& out, Store& store) {
  for (const auto& [run, plan, name] : parts.all) {
    if (fs::equivalent(run, out)) continue;
    const auto file = RunFolder::store_in(run);
    // Several experiments may plan no more than one of them.
    const auto about = store.description();
    const bool is_joined = about && !about->joined.empty();
    const auto here = store.plan_key();
    if (here.empty() || (!is_joined && here == plan))
      store.merge(file);
    else
      store.join(file, fs::canonical(out).filename().string());
    take_models(run, out, store);
  }
  if (parts.are_one) return;
  const auto about = store.description().value_or(RunDescription());
  std::size_t planned = 0;
  for (const auto& experiment : about.joined) planned += experiment.fits;
  std::cout << fmt::format("{} in one folder: {}, {} of them different\n",
                           counted(about.joined.size(), "experiment"),
                           counted(planned, "planned fit"), store.planned().size());
}

int merge(const Options& options) {
  check_merge(options);
  const auto parts = parts_of(options);
  const auto out = options.path("out");
  const RunFolder folder(out, waiting_aloud());
  Store store(folder.store(), Database::Mode::create);
  take_results(parts, out, store);
  if (parts.are_one)
    take_lock(parts.all, folder);
  else
    take_locks(parts.all, folder);
  write_results(store, folder);
  return kOk;
}

}  // namespace

const Command merge_command{
    "merge",
    "RUN... --out FOLDER",
    "join the run folders of shards, or of experiments on the same cohorts",
    {{"tempo merge runs/part1 runs/part2 --out runs/whole", "join two shards"},
     {"tempo merge runs/mine runs/yours --out runs/ours",
      "one table of the methods of two experiments; nothing is fitted again"}},
    add_merge_options,
    merge};

}  // namespace tempo::cli
