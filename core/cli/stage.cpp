// tempo stage: stages of new patients, by a model or a fit that is there.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "cli/command.hpp"
#include "cli/new_patients.hpp"
#include "cli/stage_basis.hpp"
#include "cli/trained_model.hpp"
#include "model/printable.hpp"
#include "report/staging_text.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

void add_stage_options(Options& options) {
  options.text(
      "fit", "FIT",
      "of a run: whose model, or order of events (orders, if it found subtypes), as its tables name "
      "it; 'consensus': the order that all fits agree on best");
  options.text("reference", "COHORT",
               "of a model file: the cohort (long CSV or TABLE.toml) among which each patient is "
               "staged");
  options.text("out", "FILE", "where to write (default: standard output)");
  options.choice("format", "F", {"csv", "json"}, "", "csv");
  add_device_option(options, "where to compute, for methods that have a choice");
  add_jobs_option(options, "threads (default: one per core that tempo may use)");
  add_registry_options(options);
  options.positional("FROM");
  options.positional("NEW");
}

/// @throws InputError if there is no such file or folder, or options do not belong to it.
void check_stage(const Options& options, const fs::path& from) {
  Problems problems;
  expect_format(options, problems);
  if (std::error_code ignored; !fs::exists(from, ignored))
    problems.add({from.string()}, "no such file or folder");
  problems.throw_if_any();
  const bool is_run = fs::is_directory(from);
  const auto place = command_line(options.command());
  if (is_run && options.has("reference"))
    problems.add(place, "--reference is for a model file; a run has its own cohort");
  if (!is_run && options.has("fit"))
    problems.add(place, "--fit is for a run folder; a model file is one fit");
  if (!is_run && !options.has("reference"))
    problems.add(place,
                 "--reference is missing: a model looks at a participant among others, so that new "
                 "patients need a cohort to be staged in ('tempo infer' takes them for a cohort of "
                 "their own)");
  problems.throw_if_any();
}

int stage(const Options& options) {
  const auto from = options.argument("FROM");
  const auto file = options.argument("NEW");
  check_stage(options, from);

  const auto threads = jobs(options);
  const auto registry = open_registry(options);
  std::vector<fs::path> inputs{from};
  const auto basis = fs::is_directory(from)
                         ? basis_of_run(from, options, registry, threads)
                         : basis_of_model(from, options, registry, threads, inputs);
  const auto patients = read_new_patients(file, basis, options, inputs);
  const auto found = basis.stage(patients.cohort, file);
  auto warnings = basis.doubts;
  for (const auto* more : {&patients.warnings, &found.warnings})
    warnings.insert(warnings.end(), more->begin(), more->end());
  std::cerr << "note: stages by " << printable(basis.how, "") << "\n";
  for (const auto& warning : warnings) warn(warning);
  const auto rows = staging_rows(patients.cohort, found, patients.far, patients.left_out);
  put_out(options, format_of(options) == TableFormat::csv
                       ? staging_csv(rows, found.has_subtypes)
                       : staging_json(rows, warnings, basis.how));
  return kOk;
}

}  // namespace

const Command stage_command{"stage",
                            "MODEL|RUN NEW [options]",
                            "stage new patients by a trained model, or by a fit of a run",
                            {{"tempo stage runs/real-cohort patients.csv --fit consensus",
                              "by the order that all fits of a run agree on best"},
                             {"tempo stage h6.safetensors patients.csv --reference cohort.csv",
                              "by a model, among the participants of a cohort"}},
                            add_stage_options,
                            stage};

}  // namespace tempo::cli
