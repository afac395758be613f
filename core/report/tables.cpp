#include "report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/real_fits.hpp"
#include "analysis/remarks.hpp"
#include "report/append.hpp"

namespace tempo {
namespace {

// ---- summary

std::string text_of(const Estimate& estimate, int decimals) {
  const auto counts = fmt::format("{}/{}", estimate.scored, estimate.planned);
  if (estimate.planned == 0) return "-";
  if (estimate.scored == 0) return fmt::format("none scored  {}", counts);
  const auto mean = fmt::format("{:.{}f}", estimate.mean, decimals);
  if (!estimate.half_width) return fmt::format("{}  {}", mean, counts);
  return fmt::format("{} ± {:.{}f}  {}", mean, *estimate.half_width, decimals, counts);
}

std::optional<double> mean_of(const Estimate& estimate) {
  return estimate.scored > 0 ? std::optional(estimate.mean) : std::nullopt;
}

/// Head and body with a cell per method.
Block block_of(const Summary& summary, const Metric& metric) {
  const auto difference =
      summary.reference.empty()
          ? std::string()
          : fmt::format(", minus that of {} on the same cohort", summary.reference);
  Rows rows{summary.axes};
  rows[0].emplace_back("hypothesis");
  for (std::size_t m = 0; m < summary.methods.size(); ++m)
    rows[0].push_back(fmt::format("{} (labels: {})", summary.methods[m], summary.labels[m]));
  for (const auto& row : summary.rows) {
    rows.push_back(row.axis_values);
    rows.back().push_back(row.hypothesis);
    for (const auto& estimate : row.estimates)
      rows.back().push_back(text_of(estimate, metric.decimals));
  }
  return {.heading = fmt::format("{}{}: mean ± 95 % interval, n scored of n planned", metric.title,
                                 difference),
          .rows = std::move(rows),
          .name_columns = summary.axes.size() + 1};
}

// ---- cross tables

std::string short_text(const std::optional<double>& mean, std::size_t scored, std::size_t planned,
                       int decimals) {
  if (planned == 0) return "-";
  if (!mean) return fmt::format("none scored  {}/{}", scored, planned);
  return fmt::format("{:.{}f}  {}/{}", *mean, decimals, scored, planned);
}

/// Head, a row per model and the column means.
Rows texts_of(const CrossTable& table, int decimals) {
  const auto mean = [&](const CellMean& cell) {
    return short_text(cell.mean, cell.scored, cell.planned, decimals);
  };
  Rows rows{{"trained on"}};
  append(rows[0], table.tested_on);
  rows[0].emplace_back("mean");
  for (std::size_t i = 0; i < table.trained_on.size(); ++i) {
    rows.push_back({table.trained_on[i]});
    for (const auto& cell : table.cells[i])
      rows.back().push_back(short_text(mean_of(cell), cell.scored, cell.planned, decimals));
    rows.back().push_back(mean(table.row_means[i]));
  }
  rows.push_back({"mean"});
  for (const auto& cell : table.column_means) rows.back().push_back(mean(cell));
  rows.back().push_back(mean(table.mean));
  return rows;
}

Block block_of(const CrossTable& table, const std::vector<std::string>& axes,
               const Metric& metric) {
  return {.heading = fmt::format("{}{} (labels: {}), trained on the row, tested on the column; {}: "
                                 "mean, n scored of n planned",
                                 point_in_words(axes, table.axis_values), table.method,
                                 table.labels, metric.title),
          .rows = texts_of(table, metric.decimals),
          .name_columns = 1};
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

using Json = nlohmann::ordered_json;

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

// ---- models and remarks

/// `loss 0.125, tau nan`; empty without an epoch.
std::string last_epoch(const TrainingHistory& history) {
  std::string out;
  if (history.epochs.empty()) return out;
  const auto& numbers = history.epochs.back();
  for (std::size_t i = 1; i < std::min(history.columns.size(), numbers.size()); ++i)
    out += fmt::format("{}{} {:.4g}", i > 1 ? ", " : "", history.columns[i], numbers[i]);
  return out;
}

/// `h1 cohort 3, trained on h2`
std::string place_of(const FitId& id) {
  auto out = fmt::format("{} cohort {}", generated_by(id), id.cohort);
  if (const auto& base = rests_on(id); !base.empty())
    out += (id.is_real() ? ", with " : ", trained on ") + base;
  return out;
}

/// By methods, then by text; empty if nothing was said.
Table remark_table(const Remarks& remarks, const std::string& what) {
  if (remarks.all().empty()) return {};
  Rows rows{{"method", "fits", "first", what}};
  for (const auto& [text, methods, fits, first] : remarks.all())
    rows.push_back(
        {fmt::format("{}", fmt::join(methods, ", ")), std::to_string(fits), place_of(first), text});
  std::sort(rows.begin() + 1, rows.end(),
            [](const auto& a, const auto& b) { return a[0] != b[0] ? a[0] < b[0] : a[3] < b[3]; });
  return table_of_texts("", std::move(rows));
}

}  // namespace

Table summary_table(const Summary& summary, const Metric& metric) {
  Table out;
  out.blocks = {block_of(summary, metric)};
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

Table model_table(const std::vector<ModelRecord>& models) {
  if (models.empty()) return {};
  Rows rows{{"model", "epochs", "seconds", "last epoch"}};
  for (const auto& model : models)
    rows.push_back({model.name, std::to_string(model.history.epochs.size()),
                    fmt::format("{:.1f}", model.seconds), last_epoch(model.history)});
  return table_of_texts("", std::move(rows));
}

std::string intake_text(const std::vector<StoredCohort>& cohorts) {
  std::string text;
  for (const auto& cohort : cohorts) {
    const auto own = cohort.name + "\n" + cohort.intake;
    if (text.find(own) == std::string::npos) text += own;
  }
  return text;
}

Table real_fit_table(const RunResults& results) {
  const auto found = real_fits(results);
  if (found.empty()) return {};
  const bool any_replicates = std::any_of(found.begin(), found.end(),
                                          [](const RealFits& fits) { return fits.replicates > 0; });
  Rows rows{results.axes};
  append(rows[0], {"method", "labels", "under or trained on", "fitted"});
  if (any_replicates) rows[0].emplace_back("replicates");
  rows[0].emplace_back("seconds per fit");
  for (const auto& fits : found) {
    auto& row = rows.emplace_back(fits.axis_values);
    append(row, {fits.method, fits.labels, fits.rests_on.empty() ? "-" : fits.rests_on,
                 fmt::format("{}/{}", fits.fitted, fits.planned)});
    if (any_replicates)
      row.push_back(fits.replicates == 0
                        ? "-"
                        : fmt::format("{}/{}", fits.fitted_replicates, fits.replicates));
    row.push_back(fits.seconds ? fmt::format("{:.3f}", *fits.seconds) : "-");
  }
  return table_of_texts("", std::move(rows));
}

std::string results_csv(const RunResults& results) {
  Table out;
  out.columns = results.axes;
  append(out.columns, {"hypothesis", "cohort", "method", "trained_on", "status", "tau_distance",
                       "stage_mae", "sequence_mae", "seconds", "labels", "error"});
  for (const auto& [id, result] : results.rows) {
    const auto& [status, scores, seconds, error, warnings] = result;
    if (status == FitStatus::pending) continue;
    const bool is_scored = status == FitStatus::ok;
    const auto score = [&](double value) {
      return is_scored && !std::isnan(value) ? Cell(value) : Cell();
    };
    auto& row = out.rows.emplace_back(id.axis_values.begin(), id.axis_values.end());
    append(row,
           {generated_by(id), id.cohort, id.method, rests_on(id), std::string(to_string(status)),
            score(scores.tau_distance), score(scores.stage_mae), score(scores.sequence_mae),
            fmt::format("{:.6f}", seconds), id.labels, error});
  }
  return render(out, TableFormat::csv);
}

Table trace_table(const std::vector<FitTrace>& traces, const std::vector<std::string>& axes) {
  Rows head{axes};
  append(head[0],
         {"hypothesis", "cohort", "method", "trained_on", "chain", "point", "log_likelihood"});
  Table out;
  out.about = {{"table", "traces"}};
  out.axes = axes.size();
  out.columns = head[0];
  out.blocks = {{.heading = "log-likelihoods along Markov chains",
                 .rows = head,
                 .name_columns = head[0].size() - 1}};
  for (const auto& [id, chains] : traces)
    for (std::size_t chain = 0; chain < chains.rows(); ++chain)
      for (std::size_t point = 0; point < chains.cols(); ++point) {
        const auto hypothesis = generated_by(id);
        const double found = chains(chain, point);
        auto& texts = out.blocks[0].rows.emplace_back(id.axis_values);
        append(texts, {hypothesis, std::to_string(id.cohort), id.method, rests_on(id),
                       std::to_string(chain), std::to_string(point), fmt::format("{}", found)});
        auto& row = out.rows.emplace_back(id.axis_values.begin(), id.axis_values.end());
        append(row, {hypothesis, id.cohort, id.method, rests_on(id), chain, point, found});
      }
  return out;
}

Table failure_table(const RunResults& results) {
  return remark_table(failures_of(results), "error");
}

Table warning_table(const RunResults& results) {
  return remark_table(warnings_of(results, WarningScope::without_gaps_of_replicates), "warning");
}

}  // namespace tempo
