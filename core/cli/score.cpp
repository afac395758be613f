// tempo score: orders and stages that any program found, beside the truth.

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "analysis/log_scores.hpp"
#include "cli/metric_option.hpp"
#include "cli/scored_cohorts.hpp"
#include "data/found_json.hpp"
#include "report/found_scores_table.hpp"
#include "run/fit.hpp"
#include "run/inference_details.hpp"

namespace tempo::cli {
namespace {

void add_score_options(Options& options) {
  options.text("method", "NAME", "what tables call it (default: 'plugin' of the file)");
  options.choice("format", "F", {"csv", "table", "json"}, "", "csv");
  options.text("out", "FILE", "where to write (default: standard output)");
  add_metric_options(options, "a further column by the metric of a plugin; the others are there");
  options.positional("COHORTS");
  options.positional_list("FOUND.json");
}

/// A row for each point of the sweep that the cohort stands at.
/// @param further  a score beside those that tempo has; may be absent
void score(const FoundEntry& entry, const ScoredCohort& scored, const Inference& found,
           const std::optional<FurtherScore>& further, std::vector<FoundScores>& rows) {
  const auto labels = entry.labels.value_or(LabelUse::none);
  FoundScores out;
  out.hypothesis = scored.hypothesis;
  out.cohort = scored.number;
  out.method = entry.plugin;
  out.labels = entry.labels ? std::string(to_string(labels)) : "not stated";
  out.scores = scores_of(found, scored.cohort);
  out.ranks.log_score = rank_log_score(found, scored.cohort.truth);
  out.stages.log_score = stage_log_score(found, scored.cohort, labels);
  const auto details =
      details_of(found, scored.cohort, {.stage_posterior = further.has_value(), .labels = labels});
  out.ranks.calibration = details.rank_calibration;
  out.stages.calibration = details.stage_calibration;
  if (further)
    out.scores.further[further->metric.name] = further->of({details, scored.cohort, labels});
  for (const auto& point : scored.points) {
    out.axis_values = point;
    rows.push_back(out);
  }
}

/// All entries of all files, named.
std::vector<FoundEntry> read_entries(const Options& options, Problems& problems) {
  std::vector<FoundEntry> out;
  for (const auto& file : options.list("FOUND.json"))
    for (auto& entry : read_found(file, problems)) {
      if (options.has("method")) entry.plugin = options.get_text("method");
      if (entry.plugin.empty())
        problems.add({file}, "does not say what found it ('plugin'): give --method NAME");
      out.push_back(std::move(entry));
    }
  return out;
}

/// Complains of what is called like a method of the run itself: it could not be told from it.
void expect_other_methods(const std::vector<FoundEntry>& entries,
                          const std::vector<std::string>& methods, Problems& problems) {
  std::set<std::string> complained;
  for (const auto& entry : entries)
    if (std::find(methods.begin(), methods.end(), entry.plugin) != methods.end() &&
        complained.insert(entry.plugin).second)
      problems.add({entry.file},
                   fmt::format("'{}' is one of the run's own methods; give it another "
                               "name with --method NAME",
                               entry.plugin));
}

int score_found(const Options& options) {
  Problems problems;
  expect_choice(options, "format", problems);
  const auto files = options.list("FOUND.json");
  refuse_overwriting(options, "out", {files.begin(), files.end()}, problems);
  const auto asked = asked_metric(options, "tau_distance", problems);
  const auto further = asked && asked->is_of_plugin ? asked->further : std::nullopt;
  const auto cohorts = scored_cohorts(options.argument("COHORTS"), problems);
  const auto entries = read_entries(options, problems);
  if (cohorts == nullptr) problems.throw_if_any();
  expect_other_methods(entries, cohorts->methods(), problems);
  std::vector<FoundScores> rows;
  std::set<std::tuple<std::vector<std::string>, std::string, std::size_t, std::string>> known;
  for (const auto& entry : entries) {
    const auto cohort = cohorts->find(entry, problems);
    if (!cohort) continue;
    const auto name =
        std::tuple(cohort->points.front(), cohort->hypothesis, cohort->number, entry.plugin);
    if (!known.insert(name).second) {
      problems.add({entry.file},
                   fmt::format("'{}' on {} is given twice", entry.plugin, cohort->name));
      continue;
    }
    if (const auto found = found_in(entry, cohort->cohort.cohort, problems)) {
      try {
        score(entry, *cohort, *found, further, rows);
      } catch (const Error& error) {  // of a metric
        problems.add({entry.file}, fmt::format("{}: {}", cohort->name, error.what()));
      }
    }
  }
  problems.throw_if_any();
  put_out(options,
          render(found_scores_table(rows, cohorts->axes(),
                                    further ? std::optional(further->metric) : std::nullopt),
                 format_of(options)));
  return kOk;
}

}  // namespace

const Command score_command{
    "score",
    "COHORTS FOUND.json... [options]",
    "score orders and stages that any program found in the cohorts of a folder, or of a run",
    {{"tempo score runs/quickstart mine.json --out mine.csv",
      "against the truths of a run, for 'tempo results runs/quickstart --with mine.csv'"},
     {"tempo score cohorts mine.json yours.json --format table", "means over cohorts"}},
    add_score_options,
    score_found};

}  // namespace tempo::cli
