// tempo calibrate: whether a hypothesis states the law of what it draws.

#include <fmt/format.h>

#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/calibration.hpp"
#include "cli/compared.hpp"
#include "cli/fit_all.hpp"
#include "cli/screen.hpp"
#include "data/biomarker_file.hpp"
#include "data/names.hpp"
#include "model/fault_text.hpp"
#include "report/calibration_table.hpp"
#include "run/inference_details.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace {

constexpr const char* kArgument = "HYPOTHESIS";
/// Of fewer, tests over cohorts say little.
constexpr std::size_t kFewestCohorts = 20;

void add_calibrate_options(Options& options) {
  options.text("experiment", "FILE.toml",
               "where [[hypothesis]] tables give hypotheses with settings");
  options.text("biomarkers", "T", "a shipped table, or a file", "adni-12");
  options.number<int>("cohorts", "N", "that are simulated and fitted", 100);
  options.number<int>("participants", "J", "of each cohort", 100);
  options.number<double>("healthy-ratio", "R", "share of healthy participants", 0.21);
  options.text("method", "METHOD",
               "that infers under a hypothesis (default: the first installed one)");
  options.texts("set", "KEY=VALUE", "a setting of the method (repeatable)");
  options.number<std::uint64_t>("seed", "N", "of all random streams", 1);
  options.choice("format", "F", {"table", "csv", "json"}, "", "table");
  options.text("out", "FILE", "where to write (default: standard output)");
  add_jobs_option(options, "fits at a time (default: one per core that tempo may use)");
  add_registry_options(options);
  options.positional(kArgument);
}

/// All that a calibration takes.
struct CalibrationStudy {
  std::string hypothesis;
  PartSpec hypothesis_part, method;
  BiomarkerTable biomarkers;
  CohortSize size;
  std::size_t cohorts = 0;
  std::uint64_t seed = 0;
};

/// @throws InputError with all faults of the options and of what they name
CalibrationStudy read_calibration_study(const Options& options, const Registry& registry) {
  Problems problems;
  expect_choice(options, "format", problems);
  expect_between(options, "cohorts", static_cast<int>(kFewestCohorts), 1'000'000, problems);
  expect_between(options, "participants", 2, 1'000'000, problems);
  refuse_overwriting(options, "out", {}, problems);
  CalibrationStudy out;
  out.hypothesis = options.argument(kArgument);
  if (auto found = compared_hypothesis(out.hypothesis, {kArgument}, options, registry, problems))
    out.hypothesis_part = std::move(found->part);
  out.method = comparing_method(options, registry, BiomarkersAre::known, problems).part;
  out.biomarkers =
      find_biomarkers(options.get_text("biomarkers"), "", Place{"--biomarkers"}, problems);
  out.size = {static_cast<std::size_t>(options.get<int>("participants")),
              options.get<double>("healthy-ratio")};
  if (!(out.size.healthy_ratio >= 0.0 && out.size.healthy_ratio < 1.0))
    problems.add({"--healthy-ratio"},
                 fmt::format("expected a number in [0, 1), found {}", out.size.healthy_ratio));
  out.cohorts = static_cast<std::size_t>(options.get<int>("cohorts"));
  out.seed = options.get<std::uint64_t>("seed");
  problems.throw_if_any();
  return out;
}

/// What one cohort tells.
struct CohortOutcome {
  std::optional<Calibration> ranks, stages;
  std::vector<std::string> warnings;
  std::string error;
};

CohortOutcome calibrate_on(const CalibrationStudy& study, std::size_t number,
                           const GenerativeProcess& process, const InferenceMethod& method) {
  CohortOutcome out;
  try {
    RandomStream draw(study.seed, "calibrate", "cohort", number);
    RandomStream fit(study.seed, "calibrate", "fit", number);
    const auto simulated = process.simulate(study.size, draw);
    auto found = method.fit(simulated.cohort, fit);
    const auto details =
        details_of(found, simulated, {.labels = use_of_cohort(method.label_use(), true)});
    out.ranks = details.rank_calibration;
    out.stages = details.stage_calibration;
    out.warnings = std::move(found.warnings);
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    out.error = fault_text(error);
  }
  return out;
}

/// A line for each text with the number of cohorts that it is about.
void print_counted(const std::map<std::string, std::size_t>& texts, const char* prefix) {
  for (const auto& [text, count] : texts)
    std::cerr << in_lines(fmt::format("{} of {}: {}", prefix, counted(count, "cohort"), text));
}

HypothesisCalibration gather(const CalibrationStudy& study,
                             const std::vector<CohortOutcome>& outcomes) {
  std::vector<Calibration> ranks, stages;
  std::map<std::string, std::size_t> warnings, errors;
  HypothesisCalibration out{
      study.hypothesis, study.method.plugin, study.size.participants, 0, {}, {}};
  for (const auto& outcome : outcomes) {
    if (!outcome.error.empty()) {
      ++errors[outcome.error];
      continue;
    }
    ++out.cohorts;
    for (const auto& warning : outcome.warnings) ++warnings[warning];
    if (outcome.ranks && outcome.ranks->truths > 0) ranks.push_back(*outcome.ranks);
    if (outcome.stages && outcome.stages->truths > 0) stages.push_back(*outcome.stages);
  }
  print_counted(errors, "failed fits");
  print_counted(warnings, "warning");
  if (ranks.size() >= kFewestCohorts) out.ranks = places_of_truths(ranks);
  if (stages.size() >= kFewestCohorts) out.stages = places_of_truths(stages);
  return out;
}

int calibrate(const Options& options) {
  const auto threads = jobs(options);
  const auto registry = open_registry(options);
  const auto study = read_calibration_study(options, registry);
  const auto process = registry.hypothesis(study.hypothesis_part, study.biomarkers);
  const auto method = registry.method_under(study.method, *process);
  std::vector<CohortOutcome> outcomes(study.cohorts);
  const bool is_interrupted = fit_all(study.cohorts, threads, [&](std::size_t i) {
    outcomes[i] = calibrate_on(study, i, *process, *method);
    return !outcomes[i].error.empty();
  });
  if (is_interrupted) {
    std::cerr << "interrupted: nothing was written\n";
    return kInterrupted;
  }
  const auto found = gather(study, outcomes);
  if (!found.ranks && !found.stages) {
    std::cerr << fmt::format(
        "'{}' gave posteriors of ranks or stages in fewer than {} cohorts: too few to judge by\n",
        study.method.plugin, kFewestCohorts);
    return kFailed;
  }
  put_out(options, render(places_table(found), format_of(options)));
  return found.disagree() || found.cohorts < study.cohorts ? kFailed : kOk;
}

}  // namespace

const Command calibrate_command{
    "calibrate",
    "HYPOTHESIS [options]",
    "whether a hypothesis states the law of what it draws: truths in the posteriors of its cohorts",
    {{"tempo calibrate h6", "100 cohorts, fitted under the hypothesis that they are from"},
     {"tempo calibrate late --experiment law.toml --cohorts 200 --set iterations=1000",
      "a hypothesis with settings; more cohorts, chains of at most 1000 sweeps"}},
    add_calibrate_options,
    calibrate};

}  // namespace tempo::cli
