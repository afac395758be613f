// tempo import: a clinic's table becomes a cohort.

#include <fmt/format.h>

#include <iostream>

#include "cli/command.hpp"
#include "data/cohort_table.hpp"
#include "data/description/draft.hpp"
#include "data/names.hpp"
#include "data/table_description.hpp"

namespace tempo::cli {
namespace {

void write_cohort(const Cohort& cohort, const std::filesystem::path& out) {
  write_cohort_csv(cohort, out);
  std::cout << out.string() << ": " << counted(cohort.participant_count(), "participant") << ", "
            << counted(cohort.biomarker_count(), "biomarker") << "\n";
}

void add_import_options(Options& options) {
  options.text("out", "FILE", "where the cohort goes, as a long CSV (default: nothing is written)");
  options.positional("TABLE");
}

/// @throws InputError if the file is a table, where its description belongs
void expect_description(const std::filesystem::path& file) {
  if (!is_table(file)) return;
  Problems problems;
  const auto draft = draft_of_description(file, problems);
  problems.throw_if_any();
  auto name = file;
  name.replace_extension(".toml");
  problems.add({file.string()},
               fmt::format("is a table; tempo import reads its description, a file of a few lines. "
                           "For this table, '{}' could be (look it through):\n\n{}",
                           name.string(), draft));
  throw InputError(problems);
}

int import_table(const Options& options) {
  Problems problems;
  const std::filesystem::path file = options.argument("TABLE");
  expect_description(file);
  const auto description = read_table_description(file, problems);
  problems.throw_if_any();
  const auto table = read_cohort_table(description, problems);
  refuse_overwriting(options, "out", {file, description.file}, problems);
  problems.throw_if_any();
  std::cout << table.report();
  if (options.has("out")) write_cohort(table.cohort, options.path("out"));
  return kOk;
}

}  // namespace

const Command import_command{
    "import",
    "TABLE.toml [--out COHORT.csv]",
    "make a cohort of a clinic's table, and say what became of each participant",
    {{"tempo import clinic.toml", "check the table and its description; write nothing"},
     {"tempo import clinic.toml --out cohort.csv", "write the cohort as a long CSV"}},
    add_import_options,
    import_table};

}  // namespace tempo::cli
