// tempo merge: join the run folders of shards.

#include <fmt/format.h>

#include <iostream>

#include "cli/command.hpp"
#include "data/text_file.hpp"
#include "engine/run_folder.hpp"
#include "report/tables.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace {

int merge(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  options.add()("out", po::value<std::string>()->value_name("FOLDER"),
                "the run folder that receives all results (required)");
  options.positional_list("RUN");
  options.parse(arguments);
  Problems problems;
  if (!options.has("out"))
    problems.add(command_line(command), "--out FOLDER is missing (see tempo merge --help)");
  for (const auto& run : options.list("RUN"))
    if (!std::filesystem::exists(RunFolder::store_in(run)))
      problems.add({run}, "is no run folder: it has no results.sqlite");
  problems.throw_if_any();

  std::filesystem::path out = options.get<std::string>("out");
  auto parts = options.list("RUN");
  if (std::filesystem::exists(RunFolder::store_in(out))) parts.push_back(out.string());
  const auto plan_of = [](const std::string& run) {
    return Store(RunFolder::store_in(run), Database::Mode::read).plan_key();
  };
  const auto plan = plan_of(parts.front());
  for (const auto& run : parts)
    if (plan_of(run) != plan)
      problems.add({run},
                   fmt::format("was made by another experiment, or another version of it, than "
                               "'{}': merge the shards of one experiment only",
                               parts.front()));
  problems.throw_if_any();

  const RunFolder folder(out);
  Store store(folder.store(), Database::Mode::create);
  for (const auto& run : parts)
    if (!std::filesystem::equivalent(run, out)) store.merge(RunFolder::store_in(run));
  const auto lock = std::filesystem::path(parts.front()) / "experiment.lock.toml";
  if (const auto text = read_text_file(lock, problems)) folder.write("experiment.lock.toml", *text);
  const auto results = store.results();
  folder.write("results.csv", results_csv(results));
  std::size_t finished = 0;
  for (const auto& row : results.rows)
    if (row.status != ResultRow::Status::pending) ++finished;
  std::cout << finished << " of " << counted(results.rows.size(), "planned fit")
            << " have a result\n"
            << "results: " << (folder.path() / "results.csv").string() << "\n";
  return kOk;
}

}  // namespace

const Command merge_command{"merge", "RUN... --out FOLDER", "join the run folders of shards",
                            merge};

}  // namespace tempo::cli
