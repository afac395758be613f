// tempo compare: which hypothesis a cohort supports.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <thread>

#include "analysis/checks.hpp"
#include "analysis/evidence.hpp"
#include "cli/compared.hpp"
#include "cli/interrupt.hpp"
#include "data/text_file.hpp"
#include "run/progress.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace fs = std::filesystem;
namespace {

/// A fit of one cohort under one hypothesis.
struct Fit {
  Inference found;
  std::string error;
};

Fit fit_under(const ComparedHypothesis& hypothesis, const ComparedCohort& compared,
              const PartSpec& part, std::uint64_t seed, const Registry& registry) {
  Fit out;
  try {
    const auto process = registry.hypothesis(hypothesis.part, compared.biomarkers);
    const auto method = registry.method_under(part, *process);
    RandomStream stream(seed, "compare", hypothesis.id);
    out.found = method->fit(compared.cohort, stream);
    if (!out.found.evidence) out.error = "the method gave no log scores";
  } catch (const std::exception& error) {
    out.error = error.what();
  }
  return out;
}

/// Calls fit(i), which says whether it failed, for each i < count on `jobs` threads, and shows how
/// far it is. @return whether it was interrupted before the last had begun
template <class FitOne>
bool fit_all(std::size_t count, std::size_t jobs, const FitOne& fit) {
  const auto& stop_asked = stop_on_interrupt();
  std::atomic<std::size_t> next = 0, done = 0, failed = 0, running = std::min(jobs, count);
  std::vector<std::jthread> threads;
  for (std::size_t t = std::min(jobs, count); t > 0; --t)
    threads.emplace_back([&] {
      for (std::size_t i; !stop_asked && (i = next++) < count; ++done)
        if (fit(i)) ++failed;
      --running;
    });
  Progress progress(std::cerr, isatty(STDERR_FILENO) != 0, "fits");
  bool said_stopping = false;
  while (running > 0) {
    if (stop_asked && !said_stopping) {
      progress.finish();
      std::cerr << "stopping after the fits in flight; Ctrl-C again to leave at once\n";
      said_stopping = true;
    }
    progress.show({.done = done, .failed = failed, .total = count});
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  progress.finish();
  return done < count;
}

/// What a reader of the verdict has to know.
/// @param clipped  hypotheses under which shared values were taken for limits
std::vector<std::string> caveats(const CohortRanking& ranking,
                                 const std::vector<std::string>& not_ranked,
                                 const std::vector<std::string>& clipped, bool is_estimated) {
  std::vector<std::string> out;
  if (!not_ranked.empty())
    out.push_back(
        fmt::format("Not ranked, because the fit failed: {}.", fmt::join(not_ranked, ", ")));
  for (const auto& found : ranking.hypotheses)
    if (found.tied && found.pareto_k_high > 0)
      out.push_back(
          fmt::format("Under {} the scores of {} of {} participants are not to be trusted: either "
                      "they decide too much of what was found, or what is likely without them was "
                      "drawn too seldom (the fit's warning says which).",
                      found.assumed, found.pareto_k_high, ranking.participants));
  constexpr std::size_t kFew = 100;
  if (ranking.participants < kFew)
    out.push_back(
        fmt::format("Of {} participants the errors of differences are uncertain themselves: a few "
                    "of them rule nothing out.",
                    ranking.participants));
  if (!ranking.unsettled.empty())
    out.push_back(fmt::format(
        "Markov chains had not agreed where they ended (split R-hat > 1.05) under {}: their "
        "elpd_loo can be off by more than its error says; give them more iterations.",
        fmt::join(ranking.unsettled, ", ")));
  std::vector<std::string> disagree, unknown;
  for (const auto& found : ranking.hypotheses) {
    if (!std::isfinite(found.elpd_mcse))
      unknown.push_back(found.assumed);
    else if (found.elpd_mcse > kTiedNats)
      disagree.push_back(fmt::format("{} (+- {:.0f})", found.assumed, found.elpd_mcse));
  }
  if (!disagree.empty())
    out.push_back(fmt::format(
        "Chains disagree under {}: the uncertainty of elpd_loo that this makes counts in "
        "the verdict; longer chains tell more.",
        fmt::join(disagree, ", ")));
  if (!unknown.empty())
    out.push_back(fmt::format(
        "How far chains are apart under {} is not known, so that nothing is told from it: "
        "longer chains tell.",
        fmt::join(unknown, ", ")));
  if (is_estimated)
    out.emplace_back(
        "Distributions were estimated from the cohort, under every hypothesis anew, and the scores "
        "do not count what that cost: hypotheses that differ only in the law of stages are often "
        "mistaken for each other.");
  if (!clipped.empty())
    out.push_back(
        fmt::format("Values that participants share were taken for limits at which measurements "
                    "are clipped under {}: about 20 nats a "
                    "participant that other hypotheses do not get. If an assay, rounding or "
                    "filling in brought them about, make them missing.",
                    fmt::join(clipped, ", ")));
  return out;
}

/// A line per text: `{prefix}, under h1, h3: {text}{suffix}`.
void print_by_text(const std::map<std::string, std::vector<std::string>>& under,
                   const std::string& prefix, const std::string& suffix) {
  for (const auto& [text, hypotheses] : under)
    std::cerr << fmt::format("{}, under {}: {}{}\n", prefix, fmt::join(hypotheses, ", "), text,
                             suffix);
}

/// Complains of an --out or --checks that is also read, or the other's, or has no folder to be in.
void check_out(const Options& options, Problems& problems) {
  const auto cohorts = options.list("COHORT");
  std::vector<fs::path> inputs(cohorts.begin(), cohorts.end());
  for (const auto* name : {"biomarkers", "experiment"})
    if (options.has(name)) inputs.emplace_back(options.get<std::string>(name));
  std::error_code ignored;
  for (const auto* name : {"out", "checks"}) {
    refuse_overwriting(options, name, inputs, problems);
    if (!options.has(name)) continue;
    const auto folder = fs::absolute(options.get<std::string>(name)).parent_path();
    if (!fs::is_directory(folder, ignored))
      problems.add({fmt::format("--{}", name)},
                   fmt::format("there is no folder '{}'", folder.string()));
  }
  if (options.has("out") && options.has("checks") &&
      fs::path(options.get<std::string>("out")).lexically_normal() ==
          fs::path(options.get<std::string>("checks")).lexically_normal())
    problems.add({"--checks"}, "is the file of --out");
}

int compare(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  options.add()("hypotheses", po::value<std::string>()->value_name("H,H,..."),
                "those that are compared (default: all of --experiment, or else h1 to h9)")(
      "experiment", po::value<std::string>()->value_name("FILE.toml"),
      "where [[hypothesis]] tables give hypotheses with settings")(
      "biomarkers", po::value<std::string>()->value_name("T"),
      "a shipped table, or a file: their distributions are known (default: inferred from each "
      "cohort)")("method", po::value<std::string>()->value_name("ID"),
                 "that infers under a hypothesis (default: the first installed one)")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "a setting of the method (repeatable)")(
      "seed", po::value<std::uint64_t>()->value_name("N")->default_value(1),
      "of all random streams")(
      "format", po::value<std::string>()->value_name("F")->default_value("table"),
      one_of(ranking_formats()).c_str())("out", po::value<std::string>()->value_name("FILE"),
                                         "where to write (default: standard output)")(
      "checks", po::value<std::string>()->value_name("FILE.csv"),
      "where to write all predictive checks");
  add_jobs_option(options, "fits at a time (default: one per core)");
  add_registry_options(options);
  options.positional_list("COHORT");
  options.parse(arguments);
  const auto threads = jobs(command, options);

  Problems problems;
  const auto& format = options.get<std::string>("format");
  expect_format(command, options, ranking_formats(), problems);
  check_out(options, problems);
  const auto registry = open_registry(options);
  const auto hypotheses = compared_hypotheses(options, registry, problems);
  const auto method = comparing_method(options, registry, problems);
  const auto cohorts = compared_cohorts(options, problems);
  problems.throw_if_any();
  std::vector<std::vector<std::string>> doubted;  // [cohorts]
  for (const auto& cohort : cohorts) {
    doubted.push_back(doubts(cohort, options.has("biomarkers")));
    for (const auto& doubt : doubted.back())
      std::cerr << fmt::format("warning: {}: {}\n", cohort.file, doubt);
  }

  const auto seed = options.get<std::uint64_t>("seed");
  const auto H = hypotheses.size();
  std::vector<Fit> fits(cohorts.size() * H);
  const bool is_interrupted = fit_all(fits.size(), threads, [&](std::size_t i) {
    fits[i] = fit_under(hypotheses[i % H], cohorts[i / H], method, seed, registry);
    return !fits[i].error.empty();
  });
  if (is_interrupted) {
    std::cerr << "interrupted: nothing was written\n";
    return kInterrupted;
  }

  const bool is_estimated = registry.distributions_of(InterfaceKind::inference_method, method) ==
                            Distributions::estimated;
  bool any_failed = false;
  std::vector<CohortRanking> rankings;
  for (std::size_t c = 0; c < cohorts.size(); ++c) {
    const auto& [file, cohort, biomarkers] = cohorts[c];
    std::vector<AssumedFit> assumed;
    std::map<std::string, std::vector<std::string>> remarks, errors;  // text -> hypotheses
    std::vector<std::string> not_ranked, unsettled, clipped;
    for (std::size_t h = 0; h < H; ++h) {
      const auto& id = hypotheses[h].id;
      const auto& [found, error] = fits[c * H + h];
      if (!error.empty()) {
        errors[error].push_back(id);
        not_ranked.push_back(id);
        continue;
      }
      for (const auto& warning : found.warnings) remarks[warning].push_back(id);
      if (found.chains && !found.chains->agreed()) unsettled.push_back(id);
      const auto& evidence = *found.evidence;
      if (!evidence.clipped_biomarkers.empty()) clipped.push_back(id);
      assumed.push_back({id, evidence.log_scores, evidence.elpd_waic, evidence.pareto_k_high,
                         named_checks(found.checks, cohort.biomarkers), evidence.elpd_mcse});
    }
    print_by_text(errors, file, ": not in the ranking");
    print_by_text(remarks, "warning: " + file, "");
    any_failed = any_failed || !errors.empty();
    if (assumed.empty()) continue;
    rankings.push_back({file,
                        cohort.participant_count(),
                        cohort.biomarker_count(),
                        rank_by_evidence(assumed),
                        {},
                        unsettled});
    rankings.back().caveats = caveats(rankings.back(), not_ranked, clipped, is_estimated);
    for (const auto& doubt : doubted[c])
      rankings.back().caveats.push_back(fmt::format("Of the cohort: {}.", doubt));
  }
  if (rankings.empty()) return kFailed;
  if (options.has("checks"))
    write_text_file(options.get<std::string>("checks"), checks_csv(rankings));
  const auto text = render(rankings, format);
  if (options.has("out"))
    write_text_file(options.get<std::string>("out"), text);
  else
    std::cout << text;
  return any_failed ? kFailed : kOk;
}

}  // namespace

const Command compare_command{
    "compare", "COHORT.csv... [options]",
    "rank hypotheses by how well each predicts the participants of a cohort", compare};

}  // namespace tempo::cli
