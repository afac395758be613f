// tempo merge: join the run folders of shards.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "cli/command.hpp"
#include "cli/report.hpp"
#include "data/names.hpp"
#include "data/text_file.hpp"
#include "report/tables.hpp"
#include "run/models.hpp"
#include "run/run_folder.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLock = "experiment.lock.toml";

/// @throws InputError with all faults of the options
void check(const Options& options) {
  Problems problems;
  expect_given(options, "out", "FOLDER", problems);
  for (const auto& run : options.list("RUN")) RunFolder::expect_store(run, problems);
  problems.throw_if_any();
}

/// The run folders that hold results of one plan; one that was killed at once holds nothing.
/// @throws InputError if there are several plans
std::vector<fs::path> parts_of(const Options& options) {
  auto runs = options.list("RUN");
  const auto out = options.path("out");
  if (fs::exists(RunFolder::store_in(out))) runs.push_back(out.string());
  std::vector<fs::path> parts;
  std::string plan;
  Problems problems;
  for (const auto& run : runs) {
    const auto found = Store(RunFolder::store_in(run), Database::Mode::read).plan_key();
    if (found.empty()) continue;
    if (parts.empty()) plan = found;
    parts.emplace_back(run);
    if (found != plan)
      problems.add({run},
                   fmt::format("was made by another experiment, or another version of it, than "
                               "'{}': merge the shards of one experiment only",
                               parts.front().string()));
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
}

/// Takes over the first lock file that there is, or says that there is none.
void take_lock(const std::vector<fs::path>& parts, const RunFolder& folder) {
  for (const auto& run : parts) {
    Problems absent;
    const auto text = read_text_file(run / kLock, absent);
    if (!text) continue;
    folder.write(kLock, *text);
    return;
  }
  std::cerr << fmt::format("warning: none of the parts has its {}, so '{}' has none either\n",
                           kLock, folder.path().string());
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
  show_report(store, folder.path());
}

void add_options(Options& options) {
  options.text("out", "FOLDER", "the run folder that receives all results (required)");
  options.positional_list("RUN");
}

int merge(const Options& options) {
  check(options);
  const auto parts = parts_of(options);
  const auto out = options.path("out");
  const RunFolder folder(out);
  Store store(folder.store(), Database::Mode::create);
  for (const auto& run : parts) {
    if (fs::equivalent(run, out)) continue;
    store.merge(RunFolder::store_in(run));
    take_models(run, out, store);
  }
  take_lock(parts, folder);
  write_results(store, folder);
  return kOk;
}

}  // namespace

const Command merge_command{
    "merge",
    "RUN... --out FOLDER",
    "join the run folders of shards",
    {{"tempo merge runs/part1 runs/part2 --out runs/whole", "join two shards"},
     {"tempo merge runs/part3 --out runs/whole", "add a third one"}},
    add_options,
    merge};

}  // namespace tempo::cli
