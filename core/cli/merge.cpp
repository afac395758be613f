// tempo merge: join the run folders of shards.

#include <fmt/format.h>

#include <iostream>
#include <set>

#include "cli/command.hpp"
#include "cli/report.hpp"
#include "data/text_file.hpp"
#include "report/tables.hpp"
#include "run/models.hpp"
#include "run/run_folder.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace {

/// Copies the models that the joined folder lacks, each with its history; one whose file is gone is
/// left to whoever needs it.
void take_models(const std::filesystem::path& run, const std::filesystem::path& out, Store& store) {
  std::set<std::string> known;
  for (const auto& model : store.models()) known.insert(model.key);
  Store part(RunFolder::store_in(run), Database::Mode::read);
  for (const auto& model : part.models()) {
    const auto file = Models::folder_in(run) / (model.name + Models::kModelEnding);
    if (known.contains(model.key) || !std::filesystem::exists(file)) continue;
    std::filesystem::create_directories(Models::folder_in(out));
    std::filesystem::copy_file(file, Models::folder_in(out) / file.filename(),
                               std::filesystem::copy_options::overwrite_existing);
    write_text_file(Models::folder_in(out) / (model.name + Models::kHistoryEnding), model.history);
    store.add(model);
  }
}

int merge(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  options.add()("out", po::value<std::string>()->value_name("FOLDER"),
                "the run folder that receives all results (required)");
  options.positional_list("RUN");
  options.parse(arguments);
  Problems problems;
  expect_out(command, options, problems);
  for (const auto& run : options.list("RUN")) RunFolder::expect_store(run, problems);
  problems.throw_if_any();

  std::filesystem::path out = options.get<std::string>("out");
  auto parts = options.list("RUN");
  if (std::filesystem::exists(RunFolder::store_in(out))) parts.push_back(out.string());
  std::string plan;
  std::string planned_by;
  for (const auto& run : parts) {
    const auto found = Store(RunFolder::store_in(run), Database::Mode::read).plan_key();
    if (found.empty()) continue;  // a run or merge that was killed at once: it holds nothing
    if (plan.empty()) {
      plan = found;
      planned_by = run;
    }
    if (found != plan)
      problems.add({run},
                   fmt::format("was made by another experiment, or another version of it, than "
                               "'{}': merge the shards of one experiment only",
                               planned_by));
  }
  problems.throw_if_any();

  const RunFolder folder(out);
  Store store(folder.store(), Database::Mode::create);
  const std::string lock = "experiment.lock.toml";
  bool has_lock = false;
  for (const auto& run : parts) {
    if (Store(RunFolder::store_in(run), Database::Mode::read).plan_key().empty()) continue;
    if (!std::filesystem::equivalent(run, out)) {
      store.merge(RunFolder::store_in(run));
      take_models(run, out, store);
    }
    Problems absent;
    const auto text =
        has_lock ? std::nullopt : read_text_file(std::filesystem::path(run) / lock, absent);
    if (!text) continue;
    folder.write(lock, *text);
    has_lock = true;
  }
  if (!has_lock)
    std::cerr << fmt::format("warning: none of the parts has its {}, so '{}' has none either\n",
                             lock, out.string());
  if (const auto text = intake_text(store.cohorts()); !text.empty())
    folder.write("intake.txt", text);
  const auto results = store.results();
  folder.write("results.csv", results_csv(results));
  std::size_t finished = 0;
  for (const auto& row : results.rows)
    if (row.status != ResultRow::Status::pending) ++finished;
  std::cout << finished << " of " << counted(results.rows.size(), "planned fit")
            << " have a result\n"
            << "results: " << (folder.path() / "results.csv").string() << "\n";
  show_report(store, folder.path());
  return kOk;
}

}  // namespace

const Command merge_command{"merge", "RUN... --out FOLDER", "join the run folders of shards",
                            merge};

}  // namespace tempo::cli
