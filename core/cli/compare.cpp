// tempo compare: which hypothesis a cohort supports.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include "analysis/comparison.hpp"
#include "cli/compared.hpp"
#include "cli/fit_all.hpp"
#include "cli/screen.hpp"
#include "conformance/law_faults.hpp"
#include "data/text_file.hpp"
#include "model/fault_text.hpp"
#include "report/comparison_text.hpp"
#include "report/evidence_tables.hpp"
#include "run/fit.hpp"
#include "run/inference_details.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

/// Texts about fits, each with the hypotheses it is about.
using ByText = std::map<std::string, std::vector<std::string>>;

/// A fit of one cohort under one hypothesis.
struct Fit {
  Inference found;
  std::string error;
};

void add_compare_options(Options& options) {
  options.text("hypotheses", "H,H,...",
               "those that are compared (default: all of --experiment, or else those installed "
               "that need no settings)");
  options.text("experiment", "FILE.toml",
               "where [[hypothesis]] tables give hypotheses with settings");
  options.text("biomarkers", "T",
               "a shipped table, or a file: their distributions are known (default: inferred from "
               "each cohort)");
  options.text("method", "METHOD",
               "that infers under a hypothesis (default: the first installed one)");
  options.texts("set", "KEY=VALUE", "a setting of the method (repeatable)");
  options.number<std::uint64_t>("seed", "N", "of all random streams", 1);
  options.choice("format", "F", ranking_formats(), "", "table");
  options.text("out", "FILE", "where to write (default: standard output)");
  options.text("checks", "FILE.csv", "where to write all predictive checks");
  add_jobs_option(options, "fits at a time (default: one per core that tempo may use)");
  add_registry_options(options);
  options.positional_list("COHORT");
}

/// Complains of an --out or --checks that is also read, or the other's, or has no folder to be in.
void check_compare_out(const Options& options, Problems& problems) {
  const auto cohorts = options.list("COHORT");
  std::vector<fs::path> inputs(cohorts.begin(), cohorts.end());
  for (const auto* name : {"biomarkers", "experiment"})
    if (options.has(name)) inputs.push_back(options.path(name));
  std::error_code ignored;
  for (const auto* name : {"out", "checks"}) {
    refuse_overwriting(options, name, inputs, problems);
    if (!options.has(name)) continue;
    const auto folder = fs::absolute(options.path(name)).parent_path();
    if (!fs::is_directory(folder, ignored))
      problems.add({fmt::format("--{}", name)},
                   fmt::format("there is no folder '{}'", folder.string()));
  }
  if (options.has("out") && options.has("checks") &&
      options.path("out").lexically_normal() == options.path("checks").lexically_normal())
    problems.add({"--checks"}, "is the file of --out");
}

/// What makes a ranking of this cohort doubtful, whatever is assumed; said on standard error, too.
/// @param are_known  whether distributions are those of a table
std::vector<std::string> doubts_of(const ComparedCohort& compared, bool are_known) {
  const auto& [file, cohort, biomarkers] = compared;
  std::vector<std::string> out;
  if (auto missing = missing_in_words(cohort, MissingData::marginal); !missing.empty())
    out.push_back(std::move(missing));
  for (const auto& doubt : cohort_doubts(cohort, are_known ? &biomarkers : nullptr))
    out.push_back(in_words(doubt));
  for (const auto& doubt : out) std::cerr << in_lines(fmt::format("warning: {}: {}", file, doubt));
  return out;
}

/// What is wrong with the laws that a hypothesis states; empty if nothing is.
std::string fault_of_laws(const ComparedHypothesis& hypothesis, const BiomarkerTable& biomarkers,
                          const Registry& registry) {
  try {
    const auto process = registry.hypothesis(hypothesis.part, biomarkers);
    return fmt::format("{}", fmt::join(conformance::law_faults(*process), "; "));
  } catch (const std::exception& error) {
    return fault_text(error);
  }
}

Fit fit_under(const ComparedHypothesis& hypothesis, const ComparedCohort& compared,
              const PartSpec& part, std::uint64_t seed, const Registry& registry) {
  Fit out;
  try {
    const auto process = registry.hypothesis(hypothesis.part, compared.biomarkers);
    const auto method = registry.method_under(part, *process);
    RandomStream stream(seed, "compare", hypothesis.id);
    out.found = method->fit(compared.cohort, stream);
    if (!out.found.evidence) out.error = "the method gave no log scores";
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    out.error = fault_text(error);
  }
  return out;
}

/// A line per text: `{prefix}, under h1, h3: {text}{suffix}`.
void print_by_text(const ByText& under, const std::string& prefix, const std::string& suffix) {
  for (const auto& [text, hypotheses] : under)
    std::cerr << in_lines(
        fmt::format("{}, under {}: {}{}", prefix, fmt::join(hypotheses, ", "), text, suffix));
}

/// The numbers of a fit that went well.
ComparedFit compared_fit(const std::string& assumed, const Inference& found, const Cohort& cohort) {
  auto details = details_of(found, {cohort, {}}, {.names = false});
  return {assumed, std::move(*details.evidence), details.chains, std::move(details.checks)};
}

/// The hypotheses of a cohort ranked by its fits; absent if all have failed. Says on standard error
/// what went wrong and what the method warns of.
/// @param fits    [hypotheses]
/// @param doubts  about the cohort
std::optional<CohortRanking> rank(const ComparedCohort& compared,
                                  const std::vector<ComparedHypothesis>& hypotheses,
                                  const Fit* fits, std::optional<Distributions> distributions,
                                  const std::vector<std::string>& doubts) {
  const auto& file = compared.file;
  std::vector<ComparedFit> good;
  ByText remarks, errors;
  std::vector<std::string> not_ranked;
  for (std::size_t h = 0; h < hypotheses.size(); ++h) {
    const auto& id = hypotheses[h].id;
    const auto& [found, error] = fits[h];
    if (!error.empty()) {
      errors[error].push_back(id);
      not_ranked.push_back(id);
      continue;
    }
    for (const auto& warning : found.warnings) remarks[warning].push_back(id);
    good.push_back(compared_fit(id, found, compared.cohort));
  }
  print_by_text(errors, file, ": not in the ranking");
  print_by_text(remarks, "warning: " + file, "");
  if (good.empty()) return std::nullopt;
  auto [ranking, caveats] =
      compare_fits(file, compared.cohort, good, std::move(not_ranked), distributions);
  ranking.caveats = in_sentences(caveats);
  for (const auto& doubt : doubts)
    ranking.caveats.push_back(fmt::format("Of the cohort: {}.", doubt));
  return std::move(ranking);
}

int compare(const Options& options) {
  const auto threads = jobs(options);
  Problems problems;
  expect_format(options, problems);
  check_compare_out(options, problems);
  const auto registry = open_registry(options);
  const auto hypotheses = compared_hypotheses(options, registry, problems);
  const auto method = comparing_method(
      options, registry, options.has("biomarkers") ? BiomarkersAre::known : BiomarkersAre::inferred,
      problems);
  const auto cohorts = compared_cohorts(options, problems);
  problems.throw_if_any();
  std::vector<std::vector<std::string>> doubts;  // [cohorts]
  for (const auto& cohort : cohorts) doubts.push_back(doubts_of(cohort, options.has("biomarkers")));

  const auto seed = options.get<std::uint64_t>("seed");
  const auto H = hypotheses.size();
  std::vector<std::string> faults;  // [hypotheses]
  for (const auto& hypothesis : hypotheses)
    faults.push_back(fault_of_laws(hypothesis, cohorts.front().biomarkers, registry));
  std::vector<Fit> fits(cohorts.size() * H);
  const bool is_interrupted = fit_all(fits.size(), threads, [&](std::size_t i) {
    if (const auto& fault = faults[i % H]; !fault.empty())
      fits[i].error = fault;
    else
      fits[i] = fit_under(hypotheses[i % H], cohorts[i / H], method.part, seed, registry);
    return !fits[i].error.empty();
  });
  if (is_interrupted) {
    std::cerr << "interrupted: nothing was written\n";
    return kInterrupted;
  }

  std::vector<CohortRanking> rankings;
  for (std::size_t c = 0; c < cohorts.size(); ++c)
    if (auto ranking = rank(cohorts[c], hypotheses, &fits[c * H], method.distributions, doubts[c]))
      rankings.push_back(std::move(*ranking));
  if (rankings.empty()) return kFailed;
  if (options.has("checks"))
    write_text_file(options.path("checks"),
                    render(ranking_check_table(rankings), TableFormat::csv));
  put_out(options, render(ranking_table(rankings), format_of(options)));
  const bool any_failed =
      std::any_of(fits.begin(), fits.end(), [](const Fit& fit) { return !fit.error.empty(); });
  return any_failed ? kFailed : kOk;
}

}  // namespace

const Command compare_command{
    "compare",
    "COHORT.csv... [options]",
    "rank hypotheses by how well each predicts the participants of a cohort",
    {{"tempo compare cohort.csv",
      "all hypotheses that need no settings; distributions are inferred from the cohort"},
     {"tempo compare cohort.csv --hypotheses h3,h6 --biomarkers adni-12 --format json",
      "two hypotheses, with distributions that are known"}},
    add_compare_options,
    compare};

}  // namespace tempo::cli
