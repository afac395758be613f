#include "cli/run_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <utility>

#include "analysis/fitted_cohorts.hpp"
#include "analysis/learning_curve.hpp"
#include "cli/screen.hpp"
#include "model/printable.hpp"
#include "report/doubts_text.hpp"
#include "report/tables.hpp"
#include "report/text_layout.hpp"

namespace tempo::cli {
namespace {

constexpr std::size_t kMostFailures = 5;

/// Prints a table, if it has anything to show, under a heading.
void print(const Table& table, const std::string& heading = {}) {
  if (!table.empty())
    std::cout << "\n" << heading << render(table, TableFormat::table, screen_width());
}

std::size_t count_hypotheses(const RunResults& results) {
  std::set<std::string> ids;
  for (const auto& row : results.rows) ids.insert(generated_by(row.id));
  return ids.size();
}

/// Order and staging: over all hypotheses, then under each. A sweep has points enough without.
void print_scores(const RunResults& results, const RunDescription& run) {
  const auto& limit = run.limit;
  if (results.axes.empty()) print(glance_table(results, limit));
  const bool has_several = count_hypotheses(results) > 1;
  const auto names = has_subtypes(results)
                         ? std::vector{"matched_tau_distance", "stage_mae", "subtype_score"}
                         : std::vector{"tau_distance", "stage_mae"};
  for (const auto* name : names) {
    const auto& metric = *find_metric(name);
    if (!results.axes.empty())
      print(summary_table(summarise_over_hypotheses(results, metric, limit), metric));
    else if (has_several)
      print(summary_table(summarise(results, metric, limit), metric, run.misfits));
  }
  if (!results.axes.empty() || !has_several) return;
  const auto& metric = *find_metric("tau_distance");
  print(cross_table(cross_tables(results, metric), results.axes, metric));
}

/// `tempo results 'runs/my study'`, as a shell takes it.
std::string results_of(const std::string& folder) { return "tempo results " + as_argument(folder); }

/// Some errors; the pointer where there are more.
void print_failures(const RunResults& results, const std::string& folder) {
  auto table = failure_table(results);
  if (table.empty()) return;
  auto& rows = table.blocks.front().rows;
  if (rows.size() > kMostFailures + 1) {
    table.notes.push_back(fmt::format("and {} other errors: {} --table failures",
                                      rows.size() - 1 - kMostFailures, results_of(folder)));
    rows.resize(kMostFailures + 1);
  }
  print(table, "failed fits\n");
}

}  // namespace

void print_tables(const RunResults& results, const std::vector<ModelRecord>& trained,
                  const RunDescription& run, const std::string& folder) {
  if (const auto fits = real_fit_table(results); !fits.empty())  // nothing to score against
    print(fits, "fits of the real cohort\n");
  else
    print_scores(results, run);
  print(model_table(trained), "models\n");
  print_failures(results, folder);
  if (const auto text = warnings_in_short(
          results, trained, "all warnings: " + results_of(folder) + " --table warnings",
          screen_width());
      !text.empty())
    std::cout << "\n" << text;
}

void print_cautions(Store& store) {
  for (const auto& cohort : fitted_cohorts(store, {})) {
    std::string lines;
    for (const auto& some : {disagreements_in_words(cohort), counting_in_words(cohort)})
      for (const auto& line : some) lines += printable(line, "") + "\n";
    if (!lines.empty()) std::cout << "\n" << wrapped_lines(lines, screen_width());
  }
}

std::string next_commands(const RunResults& results, const std::string& limit,
                          const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> lines;
  const auto add = [&](const std::string& options, const std::string& what) {
    lines.emplace_back(results_of(folder) + options, what);
  };
  if (!failure_table(results).empty()) add(" --table failures", "why fits failed");
  const auto has = [&](auto holds) {
    return std::any_of(results.rows.begin(), results.rows.end(),
                       [&](const FitRow& row) { return holds(row.id); });
  };
  if (!sweep_lines(results).empty() && !has([](const FitId& id) { return id.is_real(); }))
    add(" --table curve", "what each step along the sweep changes");
  if (has([](const FitId& id) { return id.is_real(); })) {
    add("", "the orders that were found, and what they have in common");
  } else if (!results.axes.empty() && count_hypotheses(results) > 1) {
    add("", "the tau distance under each hypothesis");
  } else if (!limit.empty()) {
    add(" --against " + as_argument(limit), "how far each method is from the limit");
  } else {
    add(" --metric sequence_mae", "the event-time error");
  }
  if (has([](const FitId& id) { return id.is_trained() && !id.is_real(); }))
    add(" --table cross --metric stage_mae", "trained models on every hypothesis");
  std::size_t width = 0;
  for (const auto& [command, what] : lines) width = std::max(width, command.size());
  std::string out;
  for (const auto& [command, what] : lines)
    out += fmt::format("{}{:<{}}  # {}\n", out.empty() ? "next: " : "      ", command, width, what);
  return out;
}

}  // namespace tempo::cli
