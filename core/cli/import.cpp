// tempo import: a clinic's table becomes a cohort.

#include <iostream>

#include "cli/command.hpp"
#include "data/cohort_table.hpp"
#include "data/table_description.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace {

int import_table(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  options.add()("out", po::value<std::string>()->value_name("FILE"),
                "where the cohort goes, as a long CSV (default: nothing is written)");
  options.positional("TABLE");
  options.parse(arguments);
  Problems problems;
  const std::filesystem::path file = options.list("TABLE").front();
  const auto description = read_table_description(file, problems);
  problems.throw_if_any();
  const auto table = read_cohort_table(description, problems);
  refuse_overwriting(options, "out", {file, description.file}, problems);
  problems.throw_if_any();
  std::cout << table.report();
  if (options.has("out")) {
    write_cohort_csv(table.cohort, options.get<std::string>("out"));
    std::cout << options.get<std::string>("out") << ": "
              << counted(table.cohort.participant_count(), "participant") << ", "
              << counted(table.cohort.biomarker_count(), "biomarker") << "\n";
  }
  return kOk;
}

}  // namespace

const Command import_command{"import", "TABLE.toml [--out COHORT.csv]",
                             "make a cohort of a clinic's table, and say what became of whom",
                             import_table};

}  // namespace tempo::cli
