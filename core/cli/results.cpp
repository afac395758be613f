// tempo results: the tables of a run, again and in other formats.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <set>
#include <string_view>
#include <unordered_set>

#include "analysis/checks.hpp"
#include "analysis/evidence.hpp"
#include "analysis/fitted_cohorts.hpp"
#include "analysis/outside_scores.hpp"
#include "cli/command.hpp"
#include "data/names.hpp"
#include "data/public_cohorts.hpp"
#include "model/printable.hpp"
#include "report/tables.hpp"
#include "run/run_folder.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace {

constexpr const char* kRecovery = "recovery";

/// Adds the rows of the files, and says what was left out.
void add_outside(const Command& command, const std::vector<std::string>& files, RunResults& found) {
  Problems problems;
  if (!files.empty() && !found.axes.empty())
    problems.add(command_line(command),
                 "--with: the run is a sweep; scores from outside have no place in it");
  problems.throw_if_any();
  for (const auto& path : files)
    if (const auto left_out = add_outside_scores(path, found, problems); left_out > 0)
      std::cerr << path << ": " << counted(left_out, "row")
                << " left out: of cohorts that are not in this run\n";
  problems.throw_if_any();
}

/// @throws InputError if there is no such table or reference.
void print_summary(const Command& command, const Options& options, RunResults found,
                   const Metric& metric, const std::string& format) {
  add_outside(command, options.list("with"), found);
  if (!options.has("against")) {
    std::cout << render(summarise(found, metric), metric, format);
    return;
  }
  const auto& reference = options.get<std::string>("against");
  const auto methods = summarise(found, metric).methods;
  Problems problems;
  if (std::find(methods.begin(), methods.end(), reference) == methods.end())
    problems.add(command_line(command), "--against: no method '" + reference + "'; expected " +
                                            one_of(methods) + did_you_mean(reference, methods));
  problems.throw_if_any();
  std::cout << render(summarise_against(reference, found, metric), metric, format);
}

/// @throws InputError if no method is trained.
void print_cross(const std::filesystem::path& folder, const RunResults& found, const Metric& metric,
                 const std::string& format) {
  const auto cross = cross_tables(found, metric);
  Problems problems;
  if (cross.empty())
    problems.add({folder.string()},
                 found.rows.empty() || found.rows.front().hypothesis != kRealCohort
                     ? "has no cross table: none of its methods is trained"
                     : "has no cross table: nobody knows the truth of a real cohort");
  problems.throw_if_any();
  std::cout << render(cross, found.axes, metric, format);
}

/// @throws InputError if no method gave log scores.
void print_evidence(const std::filesystem::path& folder, const RunResults& found, Store& store,
                    const std::string& format) {
  const auto fits = store.evidence();
  const auto tables = preference_tables(fits);
  Problems problems;
  if (tables.empty())
    problems.add({folder.string()}, "has no evidence table: none of its methods gave log scores");
  problems.throw_if_any();
  auto caveats = evidence_caveats(fits, store.about());
  std::set<std::string> methods;
  for (const auto& fit : fits)
    if (!fit.log_scores.empty()) methods.insert(fit.row.method);
  for (const auto& cohort : fitted_cohorts(store, {}))
    for (const auto& fit : cohort.fits)
      if (methods.contains(fit.method))
        for (auto& doubt : doubts_in_sentences(fit)) caveats.push_back(std::move(doubt));
  std::cout << render(tables, caveats, found.axes, format);
  if (format == "csv")  // which has no place for them
    for (const auto& caveat : caveats) std::cerr << "note: " << printable(caveat, "") << "\n";
}

/// @throws InputError if no method made checks.
void print_checks(const std::filesystem::path& folder, const RunResults& found, Store& store,
                  const std::string& format) {
  const auto checks = store.checks();
  Problems problems;
  if (checks.empty())
    problems.add({folder.string()}, "has no predictive checks: none of its methods made any");
  problems.throw_if_any();
  std::cout << render(checks, found.axes, format);
}

/// Gives cohorts their truth. @throws InputError where that is another cohort's
void add_truth(const std::string& file, std::vector<FittedCohort>& cohorts) {
  Problems problems;
  for (auto& cohort : cohorts) {
    cohort.truth = read_truth(file, std::filesystem::path(cohort.name).stem().string(), problems);
    problems.throw_if_any();
    std::vector<std::string> unknown;
    const auto& known = cohort.truth->biomarkers;
    std::copy_if(
        cohort.biomarkers.begin(), cohort.biomarkers.end(), std::back_inserter(unknown),
        [&](const auto& name) { return !std::binary_search(known.begin(), known.end(), name); });
    if (!unknown.empty())
      problems.add(
          {file},
          fmt::format("knows nothing of {}, biomarkers of {}: it is the truth of another cohort",
                      fmt::join(unknown, ", "), cohort.name));
    std::vector<std::string> strangers;
    const std::unordered_set<std::string_view> participants(cohort.truth->participants.begin(),
                                                            cohort.truth->participants.end());
    std::copy_if(cohort.participants.begin(), cohort.participants.end(),
                 std::back_inserter(strangers),
                 [&](const auto& id) { return !participants.contains(id); });
    if (!strangers.empty())
      problems.add({file}, fmt::format("knows nothing of {} of {} participants of {} ({}): it is "
                                       "the truth of another cohort",
                                       strangers.size(), cohort.participants.size(), cohort.name,
                                       in_short(strangers)));
    problems.throw_if_any();
  }
}

/// @throws InputError if the run has no real cohort, none of its fits came to anything, or there
/// are
///   no such fits.
void print_analysis(const Command& command, const std::filesystem::path& folder,
                    const Options& options, const std::vector<std::string>& tables,
                    const std::string& format, const std::vector<std::string>& axes, Store& store) {
  auto cohorts = fitted_cohorts(store, wanted_for(tables));
  Problems problems;
  if (cohorts.empty())
    problems.add({folder.string()},
                 "has no table '" + tables.front() +
                     "': it is of a real cohort ([cohorts] source = \"table\"), and the cohorts of "
                     "this run are simulated or have a truth");
  problems.throw_if_any();
  const auto wanted = options.list("fits");
  std::set<std::string> names;
  for (const auto& cohort : cohorts)
    for (const auto& fit : cohort.fits) names.insert({fit.method, fit.name()});
  const std::vector<std::string> known(names.begin(), names.end());
  if (!wanted.empty())
    for (const auto& name : keep_fits(wanted, cohorts))
      problems.add(command_line(command), "--fits: no fit '" + name + "'; expected " +
                                              one_of(known) + did_you_mean(name, known));
  problems.throw_if_any();
  std::erase_if(cohorts, [](const FittedCohort& cohort) { return cohort.fits.empty(); });
  if (cohorts.empty())
    problems.add({folder.string()}, "none of its fits is done, or all have failed");
  problems.throw_if_any();
  for (const auto& cohort : cohorts)
    if (wanted.empty() && cohort.fits.size() < cohort.planned)
      std::cerr << "note: " << cohort.name << ": " << cohort.fits.size() << " of "
                << counted(cohort.planned, "fit")
                << "; the others have failed or are still to be made\n";
  if (options.has("truth")) add_truth(options.get<std::string>("truth"), cohorts);
  for (const auto& table : tables)
    std::cout << (&table == &tables.front() ? "" : "\n")
              << render_analysis(table, cohorts, axes, format);
}

int results(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  std::vector<std::string> names;
  for (const auto& metric : metrics()) names.emplace_back(metric.name);
  options.add()("metric", po::value<std::string>()->value_name("M"),
                (one_of(names) + " (default: tau_distance)").c_str())(
      "format", po::value<std::string>()->value_name("F")->default_value("table"),
      one_of(summary_formats()).c_str())(
      "with", po::value<std::vector<std::string>>()->value_name("FILE")->composing(),
      "scores that other programs got on these cohorts, as CSV (repeatable)")(
      "against", po::value<std::string>()->value_name("METHOD"),
      "differences from this method on the same cohorts")(
      "table", po::value<std::string>()->value_name("T"),
      ("'summary' (the default where there is a truth): methods by hypothesis; 'cross': each "
       "trained model on each hypothesis; 'evidence': which assumed hypothesis predicts the "
       "participants best; 'checks': what replicated cohorts look like beside the cohort; "
       "'traces': the log-likelihoods along Markov chains, as CSV unless --format is given; of a "
       "real cohort (default: orders and consensus): " +
       one_of(analysis_tables()))
          .c_str())(
      "fits", po::value<std::vector<std::string>>()->value_name("FIT")->composing(),
      "of a real cohort: this method, or this fit as tables name it (repeatable; default: all)")(
      "truth", po::value<std::string>()->value_name("FILE"),
      "for --table recovery: what a simulation knows of the cohort, as tempo synthesize-adnimerge "
      "and tempo simulate write it");
  options.positional("RUN");
  options.parse(arguments);

  Problems problems;
  const auto metric_name =
      options.has("metric") ? options.get<std::string>("metric") : "tau_distance";
  const auto& format = options.get<std::string>("format");
  const auto* metric = find_metric(metric_name);
  if (metric == nullptr)
    problems.add(command_line(command), "unknown metric '" + metric_name + "'; expected " +
                                            one_of(names) + did_you_mean(metric_name, names));
  expect_format(command, options, summary_formats(), problems);
  const auto table = options.has("table") ? options.get<std::string>("table") : "summary";
  std::vector<std::string> tables{"summary", "cross", "evidence", "checks", "traces"};
  const auto& of_real_cohorts = analysis_tables();
  tables.insert(tables.end(), of_real_cohorts.begin(), of_real_cohorts.end());
  const bool is_analysis =
      std::find(of_real_cohorts.begin(), of_real_cohorts.end(), table) != of_real_cohorts.end();
  if (std::find(tables.begin(), tables.end(), table) == tables.end())
    problems.add(command_line(command), "unknown table '" + table + "'; expected " +
                                            one_of(tables) + did_you_mean(table, tables));
  const std::filesystem::path folder = options.list("RUN").front();
  const auto file = RunFolder::store_in(folder);
  RunFolder::expect_store(folder, problems);
  if (table != "summary" && (options.has("against") || !options.list("with").empty()))
    problems.add(command_line(command), "--with and --against are for --table summary");
  if (table == kRecovery && !options.has("truth"))
    problems.add(command_line(command),
                 "--table recovery needs --truth FILE, such as ADNIMERGE.csv.truth.json");
  if (table != kRecovery && options.has("truth"))
    problems.add(command_line(command), "--truth is for --table recovery");
  problems.throw_if_any();

  Store store(file, Database::Mode::read);
  auto found = store.results();
  // Nobody knows the truth of a real cohort, which the summary is about.
  const bool asks_for_summary = options.has("table") || options.has("metric") ||
                                options.has("against") || !options.list("with").empty();
  if (!asks_for_summary && !found.rows.empty() && found.rows.front().hypothesis == kRealCohort) {
    const bool is_one_table = format == "csv" || format == "json";
    print_analysis(command, folder, options,
                   is_one_table ? std::vector<std::string>{"orders"}
                                : std::vector<std::string>{"orders", "consensus"},
                   format, found.axes, store);
    return kOk;
  }
  if (is_analysis) {
    print_analysis(command, folder, options, {table}, format, found.axes, store);
    return kOk;
  }
  if (!options.list("fits").empty())
    problems.add(command_line(command), "--fits is for tables of a real cohort");
  problems.throw_if_any();
  if (table == "traces")
    std::cout << render(store.traces(), found.axes, options.is_default("format") ? "csv" : format);
  else if (table == "checks")
    print_checks(folder, found, store, format);
  else if (table == "evidence")
    print_evidence(folder, found, store, format);
  else if (table == "cross")
    print_cross(folder, found, *metric, format);
  else
    print_summary(command, options, std::move(found), *metric, format);
  return kOk;
}

}  // namespace

const Command results_command{"results",
                              "RUN [--table T] [--metric M] [--format F] [--with FILE] "
                              "[--against METHOD] [--fits FIT] [--truth FILE]",
                              "show a run's results as table, CSV, JSON, LaTeX or Markdown",
                              results};

}  // namespace tempo::cli
