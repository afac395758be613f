// tempo plausibility: how a cohort compares with cohorts simulated under each hypothesis.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <thread>

#include "cli/command.hpp"
#include "data/biomarker_file.hpp"
#include "data/estimated_biomarkers.hpp"
#include "data/real_cohort.hpp"
#include "data/text_file.hpp"
#include "report/plausibility.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace fs = std::filesystem;
namespace {

const std::vector<std::string> kFormats{"table", "csv", "json"};

/// The parts of `h1,h3`; complains about what is empty, given twice, no hypothesis, or lacks settings.
std::vector<PartSpec> hypotheses(const std::string& text, const Registry& registry,
                                 Problems& problems) {
  constexpr auto kKind = InterfaceKind::generative_process;
  std::vector<PartSpec> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto id = text.substr(begin, end - begin);
    begin = end + 1;
    if (id.empty())
      problems.add({"--hypotheses"}, "an empty name in '" + text + "'; expected such as h1,h3");
    else if (std::any_of(out.begin(), out.end(),
                         [&](const PartSpec& part) { return part.plugin == id; }))
      problems.add({"--hypotheses"}, "'" + id + "' is given twice");
    else if (registry.find(kKind, id) == nullptr)
      problems.add({"--hypotheses"}, registry.why_missing(kKind, id));
    else
      out.push_back(registry.resolve(kKind, {id, {}, Place{"--hypotheses"}},
                                     fmt::format("hypothesis '{}'", id), problems));
  }
  return out;
}

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
      if (!biomarker.warning.empty()) std::cerr << "warning: " << biomarker.warning << "\n";
    return table_of(found);
  }
  const auto before = problems.size();
  const auto table =
      find_biomarkers(options.get<std::string>("biomarkers"), "", Place{"--biomarkers"}, problems);
  std::vector<Biomarker> kept;
  std::vector<std::string> unknown;
  for (const auto& name : cohort.biomarkers) {
    const auto at = std::find_if(table.begin(), table.end(),
                                 [&](const Biomarker& known) { return known.name == name; });
    if (at == table.end())
      unknown.push_back(name);
    else
      kept.push_back(*at);
  }
  if (!unknown.empty() && problems.size() == before)
    problems.add({file}, fmt::format("has biomarkers that the table of --biomarkers lacks: {}; without "
                                     "--biomarkers their distributions are estimated",
                                     fmt::join(unknown, ", ")));
  return BiomarkerTable(std::move(kept));
}

int run_plausibility(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  options.add()(
      "hypotheses",
      po::value<std::string>()->value_name("H,H,...")->default_value("h1,h2,h3,h4,h5,h6,h7,h8,h9"),
      "those that are simulated")("biomarkers", po::value<std::string>()->value_name("T"),
                                  "a shipped table, or a file: their distributions are known "
                                  "(default: estimated from the cohort)")(
      "healthy", po::value<std::string>()->value_name("H")->default_value("free"),
      "'free' or 'fixed', for estimates: see tempo fit-parameters")(
      "simulations", po::value<int>()->value_name("N")->default_value(200),
      "cohorts per hypothesis")("seed", po::value<std::uint64_t>()->value_name("N")->default_value(1),
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
      problems.add({std::string("--") + option}, fmt::format("must be {}, not '{}'{}", one_of(known),
                                                             given, did_you_mean(given, known)));
  };
  expect_one_of("healthy", choices);
  expect_one_of("format", kFormats);
  const int simulations = options.get<int>("simulations");
  if (simulations < 20 || simulations > 100'000)
    problems.add({"--simulations"},
                 fmt::format("must be between 20 and 100000, not {}", simulations));
  const auto file = options.list("COHORT").front();
  const auto registry = open_registry(options);
  const auto parts = hypotheses(options.get<std::string>("hypotheses"), registry, problems);
  const auto read = read_real_cohort(file, problems);
  const auto& cohort = read.table.cohort;
  const fs::path out = options.has("out") ? options.get<std::string>("out") : "";
  std::error_code ignored;
  for (const auto& input : read.files)
    if (!out.empty() && fs::equivalent(out, input, ignored))
      problems.add({"--out"}, fmt::format("'{}' is read, and would be overwritten", out.string()));
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
  std::vector<Plausibility> found(parts.size());
  std::vector<std::string> errors(parts.size());
  {
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> workers;
    for (std::size_t t = 0; t < std::min(threads, parts.size()); ++t)
      workers.emplace_back([&] {
        for (std::size_t i; (i = next++) < parts.size();) try {
            const auto process = registry.hypothesis(parts[i], biomarkers);
            found[i] = plausibility(cohort, *process, parts[i].plugin,
                                    static_cast<std::size_t>(simulations), seed);
          } catch (const std::exception& error) {
            errors[i] = error.what();
          }
      });
  }
  std::vector<Plausibility> done;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (errors[i].empty())
      done.push_back(found[i]);
    else
      std::cerr << fmt::format("under {}: {}: left out\n", parts[i].plugin, errors[i]);
  }
  if (done.empty()) return kFailed;
  const auto text = render(file, done, options.get<std::string>("format"));
  if (out.empty())
    std::cout << text;
  else
    write_text_file(out, text);
  return done.size() < parts.size() ? kFailed : kOk;
}

}  // namespace

const Command plausibility_command{
    "plausibility", "COHORT [options]",
    "compare a cohort with cohorts simulated under each hypothesis", run_plausibility};

}  // namespace tempo::cli
