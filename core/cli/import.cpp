// tempo import: a clinic's table becomes a cohort.

#include <fmt/format.h>

#include <iostream>

#include "analysis/baseline.hpp"
#include "cli/command.hpp"
#include "cli/screen.hpp"
#include "data/cohort_table.hpp"
#include "data/description/draft.hpp"
#include "data/names.hpp"
#include "data/table_description.hpp"
#include "report/baseline_text.hpp"
#include "report/table.hpp"

namespace tempo::cli {
namespace {

void write_cohort(const Cohort& cohort, const std::filesystem::path& out) {
  write_cohort_csv(cohort, out);
  std::cout << out.string() << ": " << counted(cohort.participant_count(), "participant") << ", "
            << counted(cohort.biomarker_count(), "biomarker") << "\n";
}

void add_import_options(Options& options) {
  options.text("out", "FILE", "where the cohort goes, as a long CSV (default: nothing is written)");
  options.texts("baseline", "COLUMN",
                "describe the participants by this column of the table, such as age or sex "
                "(repeatable)");
  options.choice("format", "F", table_formats(),
                 "of what --baseline shows: " + one_of(table_formats()), "table");
  options.positional("TABLE");
}

/// Complains of options that do not go together.
void check_import(const Options& options) {
  Problems problems;
  expect_format(options, problems);
  if (!options.is_default("format") && !options.has("baseline"))
    problems.add(command_line(options.command()), "--format is for --baseline COLUMN");
  problems.throw_if_any();
}

/// Columns to describe, as the user names them.
std::vector<TableDescription::Named> described_columns(const Options& options) {
  std::vector<TableDescription::Named> out;
  for (const auto& column : options.list("baseline")) out.push_back({column, {"--baseline"}});
  return out;
}

/// Diagnoses as the description lists them, the healthy first.
std::vector<std::string> diagnoses_of(const TableDescription& description) {
  std::vector<std::string> out;
  for (const auto* labels : {&description.healthy, &description.diseased})
    for (const auto& label : *labels) out.push_back(label.text);
  return out;
}

/// What became of the participants, and who they are. Where programs read the latter, it stands
/// alone on standard output.
void print_import(const Options& options, const CohortTable& table,
                  const TableDescription& description) {
  const auto format = format_of(options);
  const bool is_alone = options.has("baseline") && format != TableFormat::table;
  (is_alone ? std::cerr : std::cout) << table.report();
  if (!options.has("baseline")) return;
  const auto baseline = as_table(baseline_table(table, diagnoses_of(description)));
  std::cout << (is_alone ? "" : "\n") << render(baseline, format, screen_width());
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
  check_import(options);
  auto description = read_table_description(file, problems);
  problems.throw_if_any();
  description.described = described_columns(options);
  const auto table = read_cohort_table(description, problems);
  refuse_overwriting(options, "out", {file, description.file}, problems);
  problems.throw_if_any();
  print_import(options, table, description);
  if (options.has("out")) write_cohort(table.cohort, options.path("out"));
  return kOk;
}

}  // namespace

const Command import_command{
    "import",
    "TABLE.toml [--out COHORT.csv] [--baseline COLUMN [--format F]]",
    "make a cohort of a clinic's table, and say what became of each participant",
    {{"tempo import clinic.toml --out cohort.csv", "write the cohort as a long CSV"},
     {"tempo import clinic.toml --baseline age --baseline sex --format markdown",
      "who the participants are, by diagnosis"}},
    add_import_options,
    import_table};

}  // namespace tempo::cli
