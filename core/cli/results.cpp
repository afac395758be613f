// tempo results: the tables of a run, again and in other formats.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <set>

#include "analysis/calibration.hpp"
#include "analysis/checks.hpp"
#include "analysis/cross_table.hpp"
#include "analysis/evidence.hpp"
#include "analysis/fitted_cohorts.hpp"
#include "analysis/learning_curve.hpp"
#include "analysis/summary.hpp"
#include "analysis/traces.hpp"
#include "cli/command.hpp"
#include "cli/metric_option.hpp"
#include "cli/outside.hpp"
#include "cli/screen.hpp"
#include "cli/truth_option.hpp"
#include "cluster/whole_run.hpp"
#include "data/names.hpp"
#include "model/printable.hpp"
#include "report/analysis_tables.hpp"
#include "report/calibration_table.hpp"
#include "report/check_tables.hpp"
#include "report/diagnostics_table.hpp"
#include "report/doubts_text.hpp"
#include "report/evidence_tables.hpp"
#include "report/misfit_text.hpp"
#include "report/sweep_tables.hpp"
#include "report/tables.hpp"
#include "run/run_folder.hpp"

namespace tempo::cli {
namespace {

constexpr const char* kSummary = "summary";
constexpr const char* kRecovery = "recovery";
constexpr const char* kWarnings = "warnings";
constexpr const char* kFailures = "failures";
constexpr const char* kTraces = "traces";
constexpr const char* kDiagnostics = "diagnostics";
constexpr const char* kCurve = "curve";
constexpr const char* kPivot = "pivot";

/// Tables of any run, then those of a real cohort.
std::vector<std::string> table_names() {
  std::vector<std::string> names{kSummary,      kCurve,     kPivot,   "cross",
                                 "calibration", "evidence", "checks", kDiagnostics,
                                 kWarnings,     kFailures,  kTraces};
  names.insert(names.end(), analysis_tables().begin(), analysis_tables().end());
  return names;
}

void add_results_options(Options& options) {
  add_metric_options(
      options, "which score (default: tau_distance; of several subtypes matched_tau_distance)");
  options.choice("format", "F", table_formats(), "", "table");
  add_outside_option(options);
  options.text("against", "METHOD", "differences from this method on the same cohorts");
  options.choice(
      "table", "T", table_names(),
      "'summary' (the default where there is a truth): methods by hypothesis; 'curve': scores along "
      "a swept key, and what each step changes, paired by cohort; 'pivot': the values of a swept key "
      "as columns; 'cross': "
      "each trained model on each hypothesis; 'calibration': how often truths are where posteriors "
      "said; 'evidence': which assumed hypothesis "
      "predicts the participants best; 'checks': what replicated cohorts look like beside "
      "the cohort; 'diagnostics': what methods say in numbers of how they worked; 'warnings' and "
      "'failures': what methods and trainings warned of, and why fits "
      "failed, each text once; 'traces': the log-likelihoods along Markov chains, as CSV unless "
      "--format is given; of a real cohort (default: orders and consensus): " +
          one_of(analysis_tables()));
  options.text("along", "KEY", "for 'curve' and 'pivot': the swept key (default: the first)");
  options.texts("fits", "FIT",
                "of a real cohort: this method, or this fit as tables name it (repeatable; "
                "default: all)");
  options.text("truth", "FILE",
               "for --table recovery: what a simulation knows of the cohort, as tempo "
               "synthesize-adnimerge and tempo simulate write it");
  options.positional("RUN");
}

/// What is asked for.
struct Request {
  const Options& options;
  std::filesystem::path folder;
  std::string table;
  std::optional<AskedMetric> metric;
  TableFormat format = TableFormat::table;

  /// A problem with the run.
  Place run() const { return {folder.string()}; }
};

/// Complains of options that do not belong to the table.
void check_table(const Options& options, const std::string& table, Problems& problems) {
  const auto place = command_line(options.command());
  if (table != kSummary && (options.has("against") || options.has("with")))
    problems.add(place, "--with and --against are for --table summary");
  if (table != kCurve && table != kPivot && options.has("along"))
    problems.add(place, "--along is for --table curve and --table pivot");
  if (table == kRecovery && !options.has("truth"))
    problems.add(place, "--table recovery needs --truth FILE, such as ADNIMERGE.csv.truth.json");
  if (table != kRecovery && options.has("truth"))
    problems.add(place, "--truth is for --table recovery");
}

/// @throws InputError with all faults of the options
Request read_request(const Options& options) {
  Problems problems;
  const auto place = command_line(options.command());
  const auto table = options.has("table") ? options.get_text("table") : kSummary;
  Request out{options, options.argument("RUN"), table,
              asked_metric(options, "tau_distance", problems)};
  expect_format(options, problems);
  const auto tables = table_names();
  if (std::find(tables.begin(), tables.end(), table) == tables.end())
    problems.add(place, fmt::format("unknown table '{}'; expected {}{}", table, one_of(tables),
                                    did_you_mean(table, tables)));
  RunFolder::expect_store(out.folder, problems);
  check_table(options, table, problems);
  problems.throw_if_any();
  out.format = format_of(options);
  return out;
}

bool is_of_real_cohort(const RunResults& found) {
  return !found.rows.empty() && found.rows.front().id.is_real();
}

/// @throws InputError if there is no such reference.
void print_summary(const Request& request, const RunResults& found, const RunDescription& run,
                   const ShownNames& names) {
  const auto& metric = request.metric->metric;
  const auto print = [&](const Summary& summary) {
    std::cout << render(summary_table(summary, metric, run.misfits), request.format,
                        screen_width());
  };
  if (!request.options.has("against")) {
    print(summarise(found, metric, run.limit));
    return;
  }
  const auto reference = names.of_method(request.options.get_text("against"));
  const auto methods = summarise(found, metric).methods;
  Problems problems;
  if (std::find(methods.begin(), methods.end(), reference) == methods.end())
    problems.add(command_line(request.options.command()),
                 fmt::format("--against: no method '{}'; expected {}{}", reference, one_of(methods),
                             did_you_mean(reference, methods)));
  problems.throw_if_any();
  print(summarise_against(reference, found, metric, run.limit));
}

/// The lines of the swept key that is asked for.
/// @throws InputError if there are none
std::vector<SweepLine> wanted_lines(const Request& request, const RunResults& found) {
  auto lines = sweep_lines(found);
  Problems problems;
  if (lines.empty())
    problems.add(request.run(), fmt::format("has no table '{}': it has no sweep", request.table));
  problems.throw_if_any();
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < found.axes.size(); ++i)
    if (std::any_of(lines.begin(), lines.end(),
                    [&](const SweepLine& line) { return varies(line, i); }))
      keys.push_back(found.axes[i]);
  const auto wanted = request.options.has("along") ? request.options.get_text("along")
                                                   : found.axes[lines.front().axis];
  const auto at = std::find(found.axes.begin(), found.axes.end(), wanted) - found.axes.begin();
  std::erase_if(lines,
                [&](const SweepLine& line) { return !varies(line, static_cast<std::size_t>(at)); });
  if (std::find(keys.begin(), keys.end(), wanted) == keys.end())
    problems.add(command_line(request.options.command()),
                 fmt::format("--along: no swept key '{}'; expected {}{}", wanted, one_of(keys),
                             did_you_mean(wanted, keys)));
  problems.throw_if_any();
  return lines;
}

/// @throws InputError if nothing was swept, or nobody can know the scores
void print_along(const Request& request, const RunResults& found, const std::string& limit,
                 Store& store) {
  const auto& metric = request.metric->metric;
  Problems problems;
  if (is_of_real_cohort(found) && metric.of != Metric::Of::seconds)
    problems.add(request.run(), fmt::format("has no table '{}' of {}: nobody knows the truth of a "
                                            "real cohort",
                                            request.table, metric.name));
  problems.throw_if_any();
  const auto lines = wanted_lines(request, found);
  std::vector<LearningCurve> curves;
  for (const auto& line : lines) curves.push_back(learning_curve(line, found, metric, limit));
  const auto table = request.table == kPivot
                         ? pivot_table(curves, metric)
                         : curve_table(curves, metric, shared_along(lines, store));
  std::cout << render(table, request.format, screen_width());
}

/// Says on standard error which cells are empty on purpose.
void note_stored_misfits(const RunDescription& run) {
  for (const auto& line : misfit_lines(run.misfits))
    std::cerr << printable(fmt::format("note: {}", line), "") << "\n";
}

/// @throws InputError if no method is trained.
void print_cross(const Request& request, const RunResults& found) {
  const auto& metric = request.metric->metric;
  const auto cross = cross_tables(found, metric);
  Problems problems;
  if (cross.empty())
    problems.add(request.run(), is_of_real_cohort(found)
                                    ? "has no cross table: nobody knows the truth of a real cohort"
                                    : "has no cross table: none of its methods is trained");
  problems.throw_if_any();
  std::cout << render(cross_table(cross, found.axes, metric), request.format, screen_width());
}

/// @throws InputError if no method gave posteriors of a cohort with a truth.
void print_calibration(const Request& request, const RunResults& found, Store& store) {
  const auto table = calibration_table(calibration_by_method(store), found.axes);
  Problems problems;
  if (table.empty())
    problems.add(request.run(),
                 is_of_real_cohort(found)
                     ? "has no calibration table: nobody knows the truth of a real cohort"
                     : "has no calibration table: none of its fits has posteriors, or an earlier "
                       "version made them, which did not keep where the truth lies in them");
  problems.throw_if_any();
  std::cout << render(table, request.format, screen_width());
}

/// What methods warned of, or why fits failed.
void print_remarks(const Request& request, const RunResults& found, Store& store) {
  const bool of_warnings = request.table == kWarnings;
  const auto table =
      of_warnings ? warning_table(found, store.planned_models()) : failure_table(found);
  if (table.empty() && request.format == TableFormat::table)
    std::cout << (of_warnings ? "no warnings\n" : "no fit failed\n");
  else
    std::cout << render(table, request.format, screen_width());
}

/// Doubts about fits of real cohorts by methods that gave log scores.
std::vector<std::string> doubts_of_evidence(const std::vector<FitEvidence>& fits, Store& store) {
  std::set<std::string> methods;
  for (const auto& fit : fits)
    if (!fit.log_scores.empty()) methods.insert(fit.id.method);
  std::vector<std::string> out;
  for (const auto& cohort : fitted_cohorts(store, {}))
    for (const auto& fit : cohort.fits)
      if (methods.contains(fit.method))
        for (auto& doubt : doubts_in_sentences(cohort, fit)) out.push_back(std::move(doubt));
  return out;
}

/// @throws InputError if no method gave log scores.
void print_evidence(const Request& request, const RunResults& found, Store& store) {
  const auto fits = evidence_of_fits(store);
  const auto tables = preference_tables(fits);
  Problems problems;
  if (tables.empty())
    problems.add(request.run(), "has no evidence table: none of its methods gave log scores");
  problems.throw_if_any();
  auto caveats = evidence_caveats(fits, store.description());
  if (std::all_of(tables.begin(), tables.end(),
                  [](const PreferenceTable& table) { return table.methods.size() < 2; }))
    caveats.push_back(fmt::format("only {} gave log scores: there is nothing to prefer it to",
                                  tables.front().methods.front()));
  for (auto& doubt : doubts_of_evidence(fits, store)) caveats.push_back(std::move(doubt));
  std::cout << render(preference_table(tables, caveats, found.axes), request.format,
                      screen_width());
  if (request.format == TableFormat::csv)  // which has no place for them
    for (const auto& caveat : caveats) std::cerr << "note: " << printable(caveat, "") << "\n";
}

/// @throws InputError if no method made checks.
void print_checks(const Request& request, const RunResults& found, Store& store) {
  const auto checks = checks_of_fits(store);
  Problems problems;
  if (checks.empty())
    problems.add(request.run(), "has no predictive checks: none of its methods made any");
  problems.throw_if_any();
  std::cout << render(check_table(checks, found.axes), request.format, screen_width());
}

void print_diagnostics(const Request& request, const RunResults& found, Store& store) {
  const auto table = diagnostics_table(store, found.axes);
  Problems problems;
  if (table.empty())
    problems.add(request.run(), "has no diagnostics: none of its methods gave any");
  problems.throw_if_any();
  std::cout << render(table, request.format, screen_width());
}

/// Keeps the fits of --fits, if it is given. @throws InputError if there are no such fits
void keep_wanted(const Request& request, const ShownNames& shown,
                 std::vector<FittedCohort>& cohorts) {
  auto wanted = request.options.list("fits");
  if (wanted.empty()) return;
  for (auto& fit : wanted) fit = shown.of_method(fit);
  std::set<std::string> names;
  for (const auto& cohort : cohorts)
    for (const auto& fit : cohort.fits) names.insert({fit.method, fit.name()});
  const std::vector<std::string> known(names.begin(), names.end());
  Problems problems;
  for (const auto& name : keep_fits(wanted, cohorts))
    problems.add(command_line(request.options.command()),
                 fmt::format("--fits: no fit '{}'; expected {}{}", name, one_of(known),
                             did_you_mean(name, known)));
  problems.throw_if_any();
}

/// The real cohorts of a run with the fits that are asked for.
/// @param tables  what is to be shown
/// @throws InputError if the run has no real cohort, or none of its fits came to anything
std::vector<FittedCohort> wanted_cohorts(const Request& request,
                                         const std::vector<std::string>& tables, Store& store) {
  auto cohorts = fitted_cohorts(store, wanted_for(tables));
  Problems problems;
  if (cohorts.empty())
    problems.add(request.run(),
                 fmt::format("has no table '{}': it is of a real cohort ([cohorts] source = "
                             "\"table\"), and the cohorts of this run are simulated or have a "
                             "truth",
                             tables.front()));
  problems.throw_if_any();
  keep_wanted(request, store.shown_names(), cohorts);
  std::erase_if(cohorts, [](const FittedCohort& cohort) { return cohort.fits.empty(); });
  if (cohorts.empty()) problems.add(request.run(), "none of its fits is done, or all have failed");
  problems.throw_if_any();
  return cohorts;
}

/// Says on standard error which cohorts lack fits that were planned.
void note_missing_fits(const std::vector<FittedCohort>& cohorts) {
  for (const auto& cohort : cohorts)
    if (cohort.fits.size() < cohort.planned)
      std::cerr << "note: " << printable(cohort.name, "") << ": " << cohort.fits.size() << " of "
                << counted(cohort.planned, "fit")
                << "; the others have failed or are still to be made\n";
}

/// Tables of real cohorts.
void print_analysis(const Request& request, const std::vector<std::string>& tables,
                    const std::vector<std::string>& axes, Store& store) {
  auto cohorts = wanted_cohorts(request, tables, store);
  if (!request.options.has("fits")) note_missing_fits(cohorts);
  if (request.options.has("truth")) add_truth(request.options.get_text("truth"), cohorts);
  for (const auto& table : tables)
    std::cout << (&table == &tables.front() ? "" : "\n")
              << render(analysis_table(table, cohorts, axes), request.format, screen_width());
}

/// The tables of a real cohort that are asked for; none: a table of another kind.
std::vector<std::string> tables_of_real_cohort(const Request& request, const RunResults& found) {
  const auto& known = analysis_tables();
  if (std::find(known.begin(), known.end(), request.table) != known.end()) return {request.table};
  // Nobody knows the truth of a real cohort, which the summary is about.
  for (const auto* option : {"table", "metric", "against", "with"})
    if (request.options.has(option)) return {};
  if (!is_of_real_cohort(found)) return {};
  const bool holds_one_table =
      request.format == TableFormat::csv || request.format == TableFormat::json;
  if (holds_one_table) return {"orders"};
  return {"orders", "consensus"};
}

/// Works out a metric that the run does not keep, and says on standard error where that cannot be
/// done.
/// @return whether the metric gave all scores that it was asked for
/// @throws InputError for a run of a real cohort
bool add_asked_score(const Request& request, Store& store, RunResults& found) {
  if (!request.metric->further) return true;
  const auto& name = request.metric->metric.name;
  Problems problems;
  if (is_of_real_cohort(found))
    problems.add(request.run(),
                 fmt::format("has no {}: nobody knows the truth of a real cohort", name));
  problems.throw_if_any();
  const auto unscored = add_further_score(*request.metric->further, store, found);
  if (unscored.unknown > 0)
    std::cerr << printable(
        fmt::format("note: {} without {}: the run does not keep the truth of their cohorts; tempo "
                    "run adds it, and makes no fit anew\n",
                    counted(unscored.unknown, "fit"), name));
  if (unscored.failed > 0)
    std::cerr << printable(fmt::format("{} without {}, the first of {} on {} cohort {}: {}\n",
                                       counted(unscored.failed, "fit"), name,
                                       unscored.first->method, generated_by(*unscored.first),
                                       unscored.first->cohort, unscored.error));
  return unscored.failed == 0;
}

/// Whether names stand in place of ids: programs know things by their ids.
bool is_for_people(const Request& request) {
  return request.format != TableFormat::csv && request.format != TableFormat::json &&
         !(request.table == kTraces && request.options.is_default("format"));
}

int results(const Options& options) {
  auto request = read_request(options);
  WholeRun whole(request.folder);
  auto& store = whole.store();
  RunFolder::expect_plan(request.folder, store);
  auto found = store.results();
  if (!options.has("metric") && has_subtypes(found))
    request.metric = AskedMetric{*find_metric("matched_tau_distance"), {}};
  const int code = add_asked_score(request, store, found) ? kOk : kFailed;
  add_outside(options, store, found, request.metric->metric);
  if (is_for_people(request)) {
    store.show_names();
    found = store.shown_names().shown(std::move(found));
  }
  const auto run = store.description().value_or(RunDescription());
  if (const auto tables = tables_of_real_cohort(request, found); !tables.empty()) {
    print_analysis(request, tables, found.axes, store);
    note_stored_misfits(run);
    return code;
  }
  Problems problems;
  if (options.has("fits"))
    problems.add(command_line(options.command()), "--fits is for tables of a real cohort");
  problems.throw_if_any();
  if (request.table == kTraces)
    std::cout << render(trace_table(traces_of_fits(store), found.axes),
                        options.is_default("format") ? TableFormat::csv : request.format,
                        screen_width());
  else if (request.table == "checks")
    print_checks(request, found, store);
  else if (request.table == kDiagnostics)
    print_diagnostics(request, found, store);
  else if (request.table == "evidence")
    print_evidence(request, found, store);
  else if (request.table == "calibration")
    print_calibration(request, found, store);
  else if (request.table == kWarnings || request.table == kFailures)
    print_remarks(request, found, store);
  else if (request.table == "cross")
    print_cross(request, found);
  else if (request.table == kCurve || request.table == kPivot)
    print_along(request, found, run.limit, store);
  else
    print_summary(request, found, run, store.shown_names());
  note_stored_misfits(run);
  return code;
}

}  // namespace

const Command results_command{
    "results",
    "RUN [--table T] [--metric M] [--format F] [--with FILE] "
    "[--against METHOD] [--along KEY] [--fits FIT] [--truth FILE]",
    "show a run's results as table, CSV, JSON, LaTeX or Markdown",
    {{"tempo results runs/quickstart --metric stage_mae", "how well methods stage participants"},
     {"tempo results runs/quickstart --against bayes --format markdown",
      "differences from one method, for a page"}},
    add_results_options,
    results};

}  // namespace tempo::cli
