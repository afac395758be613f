// tempo plausibility: how a cohort compares with cohorts simulated under each hypothesis.

#include "analysis/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iostream>
#include <optional>
#include <thread>

#include "cli/command.hpp"
#include "cli/compared.hpp"
#include "data/biomarker_file.hpp"
#include "data/estimated_biomarkers.hpp"
#include "data/names.hpp"
#include "data/real_cohort.hpp"
#include "model/fault_text.hpp"
#include "model/printable.hpp"
#include "report/plausibility_table.hpp"
#include "tempo/error.hpp"
#include "tempo/process_law.hpp"

namespace tempo::cli {
namespace {

void add_plausibility_options(Options& options) {
  options.text("hypotheses", "H,H,...",
               "those that are simulated (default: those of --experiment, or those installed that "
               "need no settings)");
  options.text("experiment", "FILE",
               "whose [[hypothesis]] tables define hypotheses with settings of their own");
  options.text("biomarkers", "T",
               "a shipped table, or a file: their distributions are known (default: estimated from "
               "the cohort)");
  options.choice("healthy", "H", {"free", "fixed"},
                 "'free' or 'fixed', for estimates: see tempo fit-parameters", "free");
  options.number<int>("simulations", "N", "cohorts per hypothesis", 200);
  options.number<std::uint64_t>("seed", "N", "of all random streams", 1);
  options.choice("format", "F", {"table", "csv", "json"}, "", "table");
  options.text("out", "FILE", "where to write (default: standard output)");
  add_jobs_option(options, "hypotheses at a time (default: one per core that tempo may use)");
  add_registry_options(options);
  options.positional("COHORT");
}

/// Where the distributions of simulated biomarkers are from.
ParametersAre parameters(const Options& options) {
  return options.has("biomarkers") ? ParametersAre::known : ParametersAre::estimated;
}

BiomarkerTable estimated(const Options& options, const std::string& file, const Cohort& cohort,
                         Problems& problems) {
  std::vector<std::string> faults;
  const bool is_fixed = options.get_text("healthy") == "fixed";
  const auto found =
      estimate_biomarkers(cohort, is_fixed ? HealthyAre::fixed : HealthyAre::free, faults);
  for (const auto& fault : faults) problems.add({file}, fault);
  for (const auto& biomarker : found)
    for (const auto& sentence : doubts_of(biomarker)) warn(sentence);
  return table_of(found);
}

/// The distributions of the cohort's biomarkers: those of the table, or estimated.
BiomarkerTable distributions(const Options& options, const std::string& file, const Cohort& cohort,
                             Problems& problems) {
  if (!options.has("biomarkers")) return estimated(options, file, cohort, problems);
  const auto before = problems.size();
  const auto table =
      find_biomarkers(options.get_text("biomarkers"), "", Place{"--biomarkers"}, problems);
  return problems.size() > before ? table : for_cohort(table, cohort, file, "estimated", problems);
}

/// What is compared with what.
struct Inputs {
  std::string file;
  RealCohort read;
  BiomarkerTable biomarkers;
  std::vector<ComparedHypothesis> hypotheses;
};

/// Complains of a cohort that has too few values for statistics.
void expect_statistics(const Inputs& inputs, Problems& problems) {
  try {
    statistics_of(inputs.read.table.cohort, inputs.biomarkers);
  } catch (const NumericError& error) {
    problems.add({inputs.file}, error.what());
  }
}

/// @throws InputError with all faults of the options and of what they name
Inputs read_inputs(const Options& options, const Registry& registry) {
  Problems problems;
  expect_choice(options, "healthy", problems);
  expect_choice(options, "format", problems);
  expect_between(options, "simulations", 20, 100'000, problems);
  Inputs out;
  out.file = options.argument("COHORT");
  out.hypotheses = compared_hypotheses(options, registry, problems);
  out.read = read_real_cohort(out.file, problems);
  refuse_overwriting(options, "out", out.read.files, problems);
  const auto& cohort = out.read.table.cohort;
  if (cohort.participant_count() > 0) {
    out.biomarkers = distributions(options, out.file, cohort, problems);
    if (problems.empty()) expect_statistics(out, problems);
  }
  problems.throw_if_any();
  return out;
}

/// What came of one hypothesis.
struct Outcome {
  std::optional<Plausibility> found;  ///< absent: it failed, or is not judged
  std::string error;
};

/// Distributions that are estimated as normals describe the cohort, and not what hypotheses with
/// other measurements are made of: these are not judged.
Outcome compare_with(const ComparedHypothesis& hypothesis, const Inputs& inputs,
                     const Options& options, const Registry& registry) {
  try {
    const auto process = registry.hypothesis(hypothesis.part, inputs.biomarkers);
    const auto* law = process->law();
    if (parameters(options) == ParametersAre::estimated &&
        (law == nullptr || !measures_normals(*law)))
      return {};
    const auto simulations = static_cast<std::size_t>(options.get<int>("simulations"));
    return {plausibility(inputs.read.table.cohort, *process, hypothesis.id, simulations,
                         options.get<std::uint64_t>("seed")),
            {}};
  } catch (const std::exception& error) {
    return {{}, fault_text(error)};
  }
}

/// [hypotheses], on `jobs` threads.
std::vector<Outcome> compare_with_all(const Inputs& inputs, std::size_t jobs,
                                      const Options& options, const Registry& registry) {
  const auto& hypotheses = inputs.hypotheses;
  std::vector<Outcome> out(hypotheses.size());
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> workers;
  for (std::size_t t = 0; t < std::min(jobs, hypotheses.size()); ++t)
    workers.emplace_back([&] {
      for (std::size_t i; (i = next++) < hypotheses.size();)
        out[i] = compare_with(hypotheses[i], inputs, options, registry);
    });
  workers.clear();  // waits for them
  return out;
}

/// Says which participants were compared, and what of them was left out, filled in or adjusted.
void note_intake(const CohortTable& table) {
  std::cerr << fmt::format("{}, {}\n", counted(table.cohort.participant_count(), "participant"),
                           counted(table.cohort.biomarker_count(), "biomarker"));
  if (const auto total = table.missing.total(); total > 0)
    std::cerr << fmt::format(
        "note: {} of {} measurements of the table are missing\n", total,
        (table.missing.healthy + table.missing.diseased) * table.missing.columns.size());
  for (const auto& note : table.notes)
    std::cerr << printable(fmt::format("note: {}", note), "") << "\n";
}

int run_plausibility(const Options& options) {
  const auto threads = jobs(options);
  const auto registry = open_registry(options);
  const auto inputs = read_inputs(options, registry);
  const auto outcomes = compare_with_all(inputs, threads, options, registry);

  std::vector<Plausibility> done;
  std::vector<std::string> not_judged;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto& [found, error] = outcomes[i];
    const auto& id = inputs.hypotheses[i].id;
    if (!error.empty())
      std::cerr << printable(fmt::format("under {}: {}: left out\n", id, error));
    else if (found)
      done.push_back(*found);
    else
      not_judged.push_back(id);
  }
  const auto shown = done.size() + not_judged.size();
  if (shown == 0) return kFailed;
  note_intake(inputs.read.table);
  const auto table = plausibility_table(inputs.file, done, not_judged, parameters(options));
  put_out(options, render(table, format_of(options)));
  return shown < outcomes.size() ? kFailed : kOk;
}

}  // namespace

const Command plausibility_command{
    "plausibility",
    "COHORT [options]",
    "compare a cohort with cohorts simulated under each hypothesis",
    {{"tempo plausibility cohort.csv", "all hypotheses that need no settings"},
     {"tempo plausibility cohort.csv --hypotheses h3,h6 --simulations 1000 --out plausibility.csv --format csv",
      "two hypotheses, more precisely"}},
    add_plausibility_options,
    run_plausibility};

}  // namespace tempo::cli
