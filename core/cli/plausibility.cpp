// tempo plausibility: how a cohort compares with cohorts simulated under each hypothesis.

#include "analysis/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iostream>
#include <thread>

#include "cli/command.hpp"
#include "cli/compared.hpp"
#include "data/biomarker_file.hpp"
#include "data/estimated_biomarkers.hpp"
#include "data/real_cohort.hpp"
#include "data/text_file.hpp"
#include "model/printable.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace fs = std::filesystem;
namespace {

const std::vector<std::string> kFormats{"table", "csv", "json"};

/// The distributions of the cohort's biomarkers: those of the table, or estimated.
BiomarkerTable distributions(const Options& options, const std::string& file, const Cohort& cohort,
                             Problems& problems) {
  if (!options.has("biomarkers")) {
    std::vector<std::string> faults;
    const bool is_fixed = options.get<std::string>("healthy") == "fixed";
    const auto found =
        estimate_biomarkers(cohort, is_fixed ? HealthyAre::fixed : HealthyAre::free, faults);
    for (const auto& fault : faults) problems.add({file}, fault);
    for (const auto& biomarker : found)
      if (!biomarker.warning.empty())
        std::cerr << "warning: " << printable(biomarker.warning) << "\n";
    return table_of(found);
  }
  const auto before = problems.size();
  const auto table =
      find_biomarkers(options.get<std::string>("biomarkers"), "", Place{"--biomarkers"}, problems);
  return problems.size() > before ? table : for_cohort(table, cohort, file, "estimated", problems);
}

/// Who was compared, and what of them was left out, filled in or adjusted.
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

int run_plausibility(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  options.add()("hypotheses", po::value<std::string>()->value_name("H,H,..."),
                "those that are simulated (default: those of --experiment, or h1 to h9)")(
      "experiment", po::value<std::string>()->value_name("FILE"),
      "whose [[hypothesis]] tables define hypotheses with settings of their own")(
      "biomarkers", po::value<std::string>()->value_name("T"),
      "a shipped table, or a file: their distributions are known (default: estimated from the "
      "cohort)")("healthy", po::value<std::string>()->value_name("H")->default_value("free"),
                 "'free' or 'fixed', for estimates: see tempo fit-parameters")(
      "simulations", po::value<int>()->value_name("N")->default_value(200),
      "cohorts per hypothesis")("seed",
                                po::value<std::uint64_t>()->value_name("N")->default_value(1),
                                "of all random streams")(
      "format", po::value<std::string>()->value_name("F")->default_value("table"),
      one_of(kFormats).c_str())("out", po::value<std::string>()->value_name("FILE"),
                                "where to write (default: standard output)");
  add_jobs_option(options, "hypotheses at a time (default: one per core)");
  add_registry_options(options);
  options.positional("COHORT");
  options.parse(arguments);
  const auto threads = jobs(command, options);

  Problems problems;
  const std::vector<std::string> choices{"free", "fixed"};
  const auto expect_one_of = [&](const char* option, const std::vector<std::string>& known) {
    const auto& given = options.get<std::string>(option);
    if (std::find(known.begin(), known.end(), given) == known.end())
      problems.add(
          {std::string("--") + option},
          fmt::format("must be {}, not '{}'{}", one_of(known), given, did_you_mean(given, known)));
  };
  expect_one_of("healthy", choices);
  expect_one_of("format", kFormats);
  const int simulations = options.get<int>("simulations");
  if (simulations < 20 || simulations > 100'000)
    problems.add({"--simulations"},
                 fmt::format("must be between 20 and 100000, not {}", simulations));
  const auto file = options.list("COHORT").front();
  const auto registry = open_registry(options);
  const auto hypotheses = compared_hypotheses(options, registry, problems);
  const auto read = read_real_cohort(file, problems);
  const auto& cohort = read.table.cohort;
  const fs::path out = options.has("out") ? options.get<std::string>("out") : "";
  refuse_overwriting(options, "out", read.files, problems);
  BiomarkerTable biomarkers;
  if (cohort.participant_count() > 0) {
    biomarkers = distributions(options, file, cohort, problems);
    if (problems.empty()) try {
        statistics_of(cohort, biomarkers);
      } catch (const NumericError& error) {
        problems.add({file}, error.what());
      }
  }
  problems.throw_if_any();

  const auto seed = options.get<std::uint64_t>("seed");
  std::vector<Plausibility> found(hypotheses.size());
  std::vector<std::string> errors(hypotheses.size());
  const bool are_estimated = !options.has("biomarkers");
  std::vector<std::uint8_t> is_judged(hypotheses.size(), 1);
  {
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> workers;
    for (std::size_t t = 0; t < std::min(threads, hypotheses.size()); ++t)
      workers.emplace_back([&] {
        for (std::size_t i; (i = next++) < hypotheses.size();) try {
            const auto process = registry.hypothesis(hypotheses[i].part, biomarkers);
            if (are_estimated && !measures_normals(*process)) {
              is_judged[i] = 0;
              continue;
            }
            found[i] = plausibility(cohort, *process, hypotheses[i].id,
                                    static_cast<std::size_t>(simulations), seed);
          } catch (const std::exception& error) {
            errors[i] = error.what();
          }
      });
  }
  std::vector<Plausibility> done;
  std::vector<std::string> not_judged;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    if (!errors[i].empty())
      std::cerr << fmt::format("under {}: {}: left out\n", hypotheses[i].id, errors[i]);
    else if (is_judged[i] != 0)
      done.push_back(found[i]);
    else
      not_judged.push_back(hypotheses[i].id);
  }
  const auto shown = done.size() + not_judged.size();
  if (shown == 0) return kFailed;
  note_intake(read.table);
  const auto text = render(file, done, not_judged, options.get<std::string>("format"),
                           are_estimated ? ParametersAre::estimated : ParametersAre::known);
  if (out.empty())
    std::cout << text;
  else
    write_text_file(out, text);
  return shown < hypotheses.size() ? kFailed : kOk;
}

}  // namespace

const Command plausibility_command{"plausibility", "COHORT [options]",
                                   "compare a cohort with cohorts simulated under each hypothesis",
                                   run_plausibility};

}  // namespace tempo::cli
