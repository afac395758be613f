#include "report/found_scores_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "analysis/calibration.hpp"
#include "analysis/spread.hpp"
#include "report/append.hpp"
#include "report/text_layout.hpp"

namespace tempo {
namespace {

/// A number of a row; absent where there is none.
using ScoreOfRow = std::function<std::optional<double>(const FoundScores&)>;

std::optional<double> if_finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> log_score_of(const FoundScores::OfPosterior& posterior) {
  return posterior.log_score ? std::optional(posterior.log_score->mean) : std::nullopt;
}

struct ScoreColumn {
  std::string name;
  std::string title;
  int decimals;
  ScoreOfRow number;
  bool is_of_subtypes = false;  ///< shown where a cohort has some
};

/// Those that these rows can have.
std::vector<ScoreColumn> score_columns(const std::vector<FoundScores>& rows,
                                       const std::optional<Metric>& further) {
  const bool any_subtypes = std::any_of(
      rows.begin(), rows.end(), [](const FoundScores& row) { return row.scores.has_subtypes(); });
  std::vector<ScoreColumn> all{
      {"tau_distance", "tau distance", 4,
       [](const FoundScores& row) { return if_finite(row.scores.tau_distance); }},
      {"stage_mae", "staging MAE", 3,
       [](const FoundScores& row) { return if_finite(row.scores.stage_mae); }},
      {"sequence_mae", "sequence MAE", 3,
       [](const FoundScores& row) { return if_finite(row.scores.sequence_mae); }},
      {"matched_tau_distance", "matched tau distance", 4,
       [](const FoundScores& row) { return if_finite(row.scores.matched_tau_distance); },
       /*is_of_subtypes=*/true},
      {"assigned_tau_distance", "assigned tau distance", 4,
       [](const FoundScores& row) { return if_finite(row.scores.assigned_tau_distance); },
       /*is_of_subtypes=*/true},
      {"rank_log_score", "log score of ranks", 3,
       [](const FoundScores& row) { return log_score_of(row.ranks); }},
      {"rank_inside_90", "ranks inside 90 %", 3,
       [](const FoundScores& row) { return share_inside(row.ranks.calibration); }},
      {"stage_log_score", "log score of stages", 3,
       [](const FoundScores& row) { return log_score_of(row.stages); }},
      {"stage_inside_90", "stages inside 90 %", 3,
       [](const FoundScores& row) { return share_inside(row.stages.calibration); }}};
  if (!any_subtypes)
    std::erase_if(all, [](const ScoreColumn& column) { return column.is_of_subtypes; });
  if (further)
    all.push_back({further->name, further->name, further->decimals,
                   [metric = *further](const FoundScores& row) {
                     FitResult result;
                     result.scores = row.scores;
                     return if_finite(metric.in(result));
                   }});
  return all;
}

/// Mean ± 95 % interval over rows, or `-`.
std::string mean_score(const std::vector<const FoundScores*>& rows, const ScoreColumn& column) {
  std::vector<double> values;
  for (const auto* row : rows)
    if (const auto value = column.number(*row)) values.push_back(*value);
  const auto found = spread(values);
  if (!found) return "-";
  return with_half_width(found->mean, found->half_width, column.decimals);
}

/// Rows by point of the sweep, hypothesis and method, in the order of their first.
using ScoreGroup = std::pair<std::vector<std::string>, std::vector<const FoundScores*>>;
std::vector<ScoreGroup> score_groups(const std::vector<FoundScores>& rows) {
  std::vector<ScoreGroup> out;
  for (const auto& row : rows) {
    auto name = row.axis_values;
    name.insert(name.end(), {row.hypothesis, row.method});
    auto at = std::find_if(out.begin(), out.end(),
                           [&](const ScoreGroup& group) { return group.first == name; });
    if (at == out.end()) at = out.insert(at, {name, {}});
    at->second.push_back(&row);
  }
  return out;
}

/// Truths that posteriors held for impossible, over all rows.
std::size_t impossible_in(const std::vector<FoundScores>& rows) {
  std::size_t out = 0;
  for (const auto& row : rows)
    for (const auto* posterior : {&row.ranks, &row.stages})
      if (posterior->log_score) out += posterior->log_score->impossible;
  return out;
}

Block scores_block(const std::vector<FoundScores>& rows, const std::vector<std::string>& axes,
                   const std::optional<Metric>& further) {
  Block out{.heading = "scores, and ± 95 % interval of the mean over cohorts",
            .rows = {axes},
            .name_columns = axes.size() + 2};
  for (const auto* name : {"hypothesis", "method", "cohorts"}) out.rows[0].emplace_back(name);
  const auto columns = score_columns(rows, further);
  for (const auto& column : columns) out.rows[0].emplace_back(column.title);
  for (const auto& [name, group] : score_groups(rows)) {
    auto& row = out.rows.emplace_back(name);
    row.push_back(std::to_string(group.size()));
    for (const auto& column : columns) row.push_back(mean_score(group, column));
  }
  if (const auto impossible = impossible_in(rows); impossible > 0)
    out.note = fmt::format("{} truths had a probability below {}, and count as that", impossible,
                           LogScore::kLeastProbability);
  return out;
}

}  // namespace

Table found_scores_table(const std::vector<FoundScores>& rows, const std::vector<std::string>& axes,
                         const std::optional<Metric>& further) {
  Table out;
  out.blocks = {scores_block(rows, axes, further)};
  out.columns = axes;
  append(out.columns, {"hypothesis", "cohort", "method", "labels"});
  const auto columns = score_columns(rows, further);
  for (const auto& column : columns) out.columns.emplace_back(column.name);
  for (const auto& found : rows) {
    auto& row = out.rows.emplace_back();
    for (const auto& value : found.axis_values) row.emplace_back(value);
    append(row, {found.hypothesis, found.cohort, found.method, found.labels});
    for (const auto& column : columns) row.push_back(cell(column.number(found)));
  }
  return out;
}

}  // namespace tempo
