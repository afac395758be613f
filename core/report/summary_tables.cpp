// Tables of scores: methods by hypothesis, all methods at a glance, trained models by hypothesis.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "report/append.hpp"
#include "report/score_text.hpp"
#include "report/tables.hpp"
#include "report/text_layout.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

// ---- methods by hypothesis

/// A row per method, a column per hypothesis.
Block::Shape by_method(const Summary& summary, const Style& style) {
  const auto counts = counts_of(summary);
  Rows rows{{"method", "labels"}};
  for (const auto& row : summary.rows) rows[0].push_back(name_of(row));
  for (const auto m : shown_methods(summary)) {
    rows.push_back({name_of(summary, m), summary.labels[m]});
    for (const auto& row : summary.rows) rows.back().push_back(text_of(row, m, counts, style));
  }
  return {std::move(rows), 2};
}

/// A row per point of the sweep and hypothesis, a column per method.
Block::Shape by_hypothesis(const Summary& summary, const Style& style) {
  const auto counts = counts_of(summary);
  const bool has_hypotheses =
      summary.axes.empty() || summary.rows.empty() || !summary.rows.front().hypothesis.empty();
  Rows rows(2);
  for (const auto& axis : summary.axes) rows[0].push_back(short_axis(axis));
  if (has_hypotheses) rows[0].emplace_back("hypothesis");
  const auto names = rows[0].size();
  rows[1].resize(names);
  rows[1][names - 1] = "labels";
  for (const auto m : shown_methods(summary)) {
    rows[0].push_back(name_of(summary, m));
    rows[1].push_back(summary.labels[m]);
  }
  for (const auto& row : summary.rows) {
    rows.push_back(row.axis_values);
    if (has_hypotheses) rows.back().push_back(name_of(row));
    for (const auto m : shown_methods(summary))
      rows.back().push_back(text_of(row, m, counts, style));
  }
  return {std::move(rows), names};
}

using Misfits = std::vector<RunDescription::Misfit>;

/// How many rows have no fits of a method planned, for another reason than a misfit, which is a
/// note of its own.
std::size_t count_unplanned(const Summary& summary, std::size_t method, const Misfits& misfits) {
  return std::count_if(summary.rows.begin(), summary.rows.end(), [&](const Summary::Row& row) {
    return row.estimates[method].planned == 0 &&
           std::none_of(misfits.begin(), misfits.end(), [&](const auto& misfit) {
             return misfit.method == summary.methods[method] && misfit.hypothesis == row.hypothesis;
           });
  });
}

/// What the marks in a table mean; empty where it has none.
/// @param any_best  whether kBestMark is among them
std::string legend(const Summary& summary, bool any_best, const Misfits& misfits = {}) {
  std::string out;
  const auto add = [&](const std::string& line) { out += (out.empty() ? "" : "\n") + line; };
  if (any_best) add(best_note(summary));
  if (has_best(summary) && !std::all_of(summary.rows.begin(), summary.rows.end(), row_has_best))
    add(fmt::format("where no method has a {}, none can be told from the best{}", kBestMark,
                    summary.reference.empty()
                        ? ""
                        : fmt::format(", or {} is better than all", summary.reference)));
  for (std::size_t m = 0; m < summary.methods.size(); ++m) {
    const auto absent = count_unplanned(summary, m, misfits);
    if (absent == 0 || absent == summary.rows.size()) continue;
    add(summary.is_trained[m]
            ? fmt::format("- {} was not trained on that hypothesis: --table cross has its scores",
                          summary.methods[m])
            : fmt::format("- {}: no fit was planned there", summary.methods[m]));
  }
  return out;
}

Block block_of(const Summary& summary, const Metric& metric, const Misfits& misfits) {
  const auto difference =
      summary.reference.empty()
          ? std::string()
          : fmt::format(", minus that of {} on the same cohort", summary.reference);
  const auto digits = decimals_of(metric);
  std::vector<Block::Shape> shapes;
  for (const auto& style : {style_of(summary, digits), style_of(summary, digits - 1)}) {
    if (summary.axes.empty()) shapes.push_back(by_method(summary, style));
    shapes.push_back(by_hypothesis(summary, style));
  }
  if (summary.axes.empty())
    shapes.push_back(by_method(summary, style_of(summary, digits - 1, "±")));
  return {.heading = in_one_or_two_lines(metric.title + difference, what_cells_are(summary)),
          .rows = shapes.front().rows,
          .note = legend(summary, has_best(summary), misfits),
          .name_columns = shapes.front().name_columns,
          .narrower = {shapes.begin() + 1, shapes.end()}};
}

// ---- all methods at a glance

/// Methods by their mean, those without one last.
std::vector<std::size_t> in_order(const Summary& summary) {
  auto out = shown_methods(summary);
  const auto& cells = summary.rows.front().estimates;
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
    const bool has_a = cells[a].scored > 0, has_b = cells[b].scored > 0;
    return has_a != has_b ? has_a : has_a && cells[a].mean < cells[b].mean;
  });
  return out;
}

/// `tau distance`, without what that is.
std::string short_title(const Metric& metric) {
  const std::string_view title = metric.title;
  return std::string(title.substr(0, title.find(" (")));
}

/// Scores over the cohorts of all hypotheses, and how long fits took; one row each.
struct Glance {
  explicit Glance(const RunResults& results, const std::string& limit)
      : scores{find_metric("tau_distance"), find_metric("stage_mae")},
        seconds(summarise_over_hypotheses(results, *find_metric("seconds"), limit)) {
    if (has_subtypes(results))
      scores = {find_metric("matched_tau_distance"), find_metric("stage_mae"),
                find_metric("subtype_score")};
    for (const auto* metric : scores)
      summaries.push_back(summarise_over_hypotheses(results, *metric, limit));
    for (const auto& row : results.rows) hypotheses.insert(generated_by(row.id));
  }

  std::vector<const Metric*> scores;
  std::vector<Summary> summaries;  ///< of each
  Summary seconds;
  std::set<std::string> hypotheses;
};

std::string heading_of(const Glance& glance) {
  const auto& hypotheses = glance.hypotheses;
  const auto& summary = glance.summaries.front();
  const auto counts = counts_of(summary);
  const auto of = hypotheses.size() == 1
                      ? "all methods under " + *hypotheses.begin()
                      : fmt::format("all methods over {} hypotheses", hypotheses.size());
  if (!has_intervals(summary)) return of + ": of one cohort, which gives no interval";
  const bool any_higher =
      std::any_of(glance.scores.begin(), glance.scores.end(),
                  [](const Metric* metric) { return metric->better() == Metric::Better::higher; });
  return fmt::format(
      "{}: mean ± 95 % interval over {}; lower is better{}", of,
      counts.are_alike() ? fmt::format("{} cohorts", counts.usual()) : "the cohorts scored",
      any_higher ? ", but for the subtype score" : "");
}

Rows rows_of(const Glance& glance) {
  const auto& first = glance.summaries.front();
  const auto counts = counts_of(first);
  const auto& scores = glance.scores;
  Rows rows{{"method", "labels"}};
  for (const auto* metric : scores) rows[0].push_back(short_title(*metric));
  rows[0].push_back(short_title(*find_metric("seconds")));
  if (!counts.are_alike()) rows[0].emplace_back("scored");
  std::vector<Style> styles;
  for (std::size_t i = 0; i < scores.size(); ++i)
    styles.push_back(style_of(glance.summaries[i], decimals_of(*scores[i])));
  for (const auto m : in_order(first)) {
    auto& row = rows.emplace_back();
    row = {name_of(first, m), first.labels[m]};
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const auto& summary = glance.summaries[i];
      const auto& cells = summary.rows.front();
      row.push_back(cells.estimates[m].scored == 0
                        ? "-"
                        : score_text(cells.estimates[m], cells.is_best[m], styles[i]));
    }
    const auto& seconds = glance.seconds.rows.front().estimates[m];
    row.push_back(seconds.scored == 0 ? "-" : seconds_text(seconds.mean));
    const auto& [scored, planned, mean, half_width] = first.rows.front().estimates[m];
    if (!counts.are_alike()) row.push_back(fmt::format("{} of {}", scored, planned));
  }
  return rows;
}

/// Why some methods are of fewer cohorts, and who does not compete.
std::string notes_of(const Glance& glance) {
  auto out = legend(glance.summaries.front(),
                    std::any_of(glance.summaries.begin(), glance.summaries.end(), has_best));
  const auto& summary = glance.summaries.front();
  const auto usual = counts_of(summary).usual();
  for (std::size_t m = 0; m < summary.methods.size(); ++m)
    if (const auto planned = summary.rows.front().estimates[m].planned;
        planned > 0 && planned < usual)
      out +=
          fmt::format("{}{} counts {}: it is not compared with the others", out.empty() ? "" : "\n",
                      summary.methods[m],
                      summary.is_trained[m] ? "only where it was trained on the cohort's hypothesis"
                                            : "only under the hypotheses that it was fitted under");
  return out;
}

// ---- trained models by hypothesis

/// Of all cells, without the means over them.
Counts counts_of(const CrossTable& table) {
  Counts out;
  for (const auto& row : table.cells)
    for (const auto& cell : row) out.add(cell.scored, cell.planned);
  return out;
}

/// Head, a row per model, and means where there is something to average.
Rows texts_of(const CrossTable& table, int decimals) {
  const auto counts = counts_of(table);
  const bool has_row_means = table.tested_on.size() > 1;
  const bool has_column_means = table.trained_on.size() > 1;
  const auto mean = [&](const CellMean& cell) {
    return cell.mean ? number_text(*cell.mean, decimals, false) : "-";
  };
  Rows rows{{"trained on"}};
  append(rows[0], table.tested_on);
  if (has_row_means) rows[0].emplace_back("mean");
  for (std::size_t i = 0; i < table.trained_on.size(); ++i) {
    rows.push_back({table.trained_on[i]});
    for (const auto& cell : table.cells[i]) {
      const auto beside = counts.beside(cell.scored, cell.planned);
      rows.back().push_back(cell.planned == 0  ? "-"
                            : cell.scored == 0 ? "none" + beside
                                               : number_text(cell.mean, decimals, false) + beside);
    }
    if (has_row_means) rows.back().push_back(mean(table.row_means[i]));
  }
  if (!has_column_means) return rows;
  rows.push_back({"mean"});
  for (const auto& cell : table.column_means) rows.back().push_back(mean(cell));
  if (has_row_means) rows.back().push_back(mean(table.mean));
  return rows;
}

Block block_of(const CrossTable& table, const std::vector<std::string>& axes,
               const Metric& metric) {
  return {.heading = fmt::format(
              "{}:\n{}{} (labels: {}), trained on the row, tested on the column: mean {}",
              metric.title, point_in_words(axes, table.axis_values), table.method, table.labels,
              counts_of(table).in_words()),
          .rows = texts_of(table, decimals_of(metric)),
          .name_columns = 1,
          .narrower = {{texts_of(table, decimals_of(metric) - 1), 1}}};
}

/// Cells one by one, then the means.
void add_rows(const CrossTable& table, std::vector<std::vector<Cell>>& rows) {
  const auto add = [&](const std::string& trained_on, const std::string& tested_on,
                       const std::optional<double>& mean, const std::optional<double>& half_width,
                       std::size_t scored, std::size_t planned) {
    auto& row = rows.emplace_back(table.axis_values.begin(), table.axis_values.end());
    append(row, {table.method, table.labels, trained_on, tested_on, cell(mean), cell(half_width),
                 scored, planned});
  };
  const auto add_mean = [&](const std::string& trained_on, const std::string& tested_on,
                            const CellMean& mean) {
    add(trained_on, tested_on, mean.mean, {}, mean.scored, mean.planned);
  };
  for (std::size_t i = 0; i < table.trained_on.size(); ++i) {
    for (std::size_t j = 0; j < table.tested_on.size(); ++j) {
      const auto& found = table.cells[i][j];
      add(table.trained_on[i], table.tested_on[j], mean_of(found), found.half_width, found.scored,
          found.planned);
    }
    add_mean(table.trained_on[i], "", table.row_means[i]);
  }
  for (std::size_t j = 0; j < table.tested_on.size(); ++j)
    add_mean("", table.tested_on[j], table.column_means[j]);
  add_mean("", "", table.mean);
}

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

Json as_json(const Estimate& estimate) {
  return {{"mean", number_or_null(mean_of(estimate))},
          {"half_width_95", number_or_null(estimate.half_width)},
          {"scored", estimate.scored},
          {"planned", estimate.planned}};
}

Json as_json(const CellMean& mean) {
  return {{"mean", number_or_null(mean.mean)}, {"scored", mean.scored}, {"planned", mean.planned}};
}

template <class Cells>
Json as_json_list(const Cells& cells) {
  Json out = Json::array();
  for (const auto& cell : cells) out.push_back(as_json(cell));
  return out;
}

Json as_json(const CrossTable& table, const std::vector<std::string>& axes) {
  Json out;
  if (!axes.empty()) out["sweep"] = point_as_json(axes, table.axis_values);
  out["method"] = table.method;
  out["labels"] = table.labels;
  out["trained_on"] = table.trained_on;
  out["tested_on"] = table.tested_on;
  out["cells"] = Json::array();
  for (const auto& row : table.cells) out["cells"].push_back(as_json_list(row));
  out["row_means"] = as_json_list(table.row_means);
  out["column_means"] = as_json_list(table.column_means);
  out["mean"] = as_json(table.mean);
  return out;
}

}  // namespace

Table summary_table(const Summary& summary, const Metric& metric, const Misfits& misfits) {
  Table out;
  out.blocks = {block_of(summary, metric, misfits)};
  out.about = {{"metric", metric.name}};
  if (!summary.reference.empty()) out.about.emplace_back("minus", summary.reference);
  out.axes = summary.axes.size();
  out.columns = summary.axes;
  append(out.columns,
         {"hypothesis", "method", "labels", "mean", "half_width_95", "scored", "planned"});
  for (const auto& row : summary.rows)
    for (std::size_t m = 0; m < summary.methods.size(); ++m) {
      const auto& found = row.estimates[m];
      if (found.planned == 0) continue;
      auto& cells = out.rows.emplace_back(row.axis_values.begin(), row.axis_values.end());
      append(cells, {row.hypothesis, summary.methods[m], summary.labels[m], cell(mean_of(found)),
                     cell(found.half_width), found.scored, found.planned});
    }
  return out;
}

Table glance_table(const RunResults& results, const std::string& limit) {
  const Glance glance(results, limit);
  if (glance.summaries.front().rows.empty()) return {};
  Table out;
  out.blocks = {{.heading = heading_of(glance),
                 .rows = rows_of(glance),
                 .note = notes_of(glance),
                 .name_columns = 2}};
  return out;
}

Table cross_table(const std::vector<CrossTable>& tables, const std::vector<std::string>& axes,
                  const Metric& metric) {
  Table out;
  out.axes = axes.size();
  out.columns = axes;
  append(out.columns, {"method", "labels", "trained_on", "hypothesis", "mean", "half_width_95",
                       "scored", "planned"});
  auto document = std::make_shared<Json>();
  (*document)["metric"] = metric.name;
  auto& list = (*document)["tables"] = Json::array();
  for (const auto& table : tables) {
    out.blocks.push_back(block_of(table, axes, metric));
    add_rows(table, out.rows);
    list.push_back(as_json(table, axes));
  }
  out.document = std::move(document);
  return out;
}

}  // namespace tempo
