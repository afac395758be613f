#include "report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "data/csv_rows.hpp"
#include "report/rows.hpp"
#include "run/fit.hpp"
#include "study/experiment.hpp"

namespace tempo {
namespace {

std::string cell(const Estimate& estimate, int decimals, const char* plus_minus) {
  const auto counts = fmt::format("{}/{}", estimate.scored, estimate.planned);
  if (estimate.planned == 0) return "-";
  if (estimate.scored == 0) return fmt::format("none scored  {}", counts);
  const auto mean = fmt::format("{:.{}f}", estimate.mean, decimals);
  if (!estimate.half_width) return fmt::format("{}  {}", mean, counts);
  return fmt::format("{} {} {:.{}f}  {}", mean, plus_minus, *estimate.half_width, decimals, counts);
}

/// Head and body with a cell per method.
Rows cells(const Summary& summary, const Metric& metric, const char* plus_minus) {
  Rows rows(1);
  rows[0] = summary.axes;
  rows[0].push_back("hypothesis");
  for (std::size_t m = 0; m < summary.methods.size(); ++m)
    rows[0].push_back(fmt::format("{} (labels: {})", summary.methods[m], summary.labels[m]));
  for (const auto& row : summary.rows) {
    rows.push_back(row.axis_values);
    rows.back().push_back(row.hypothesis);
    for (const auto& estimate : row.estimates)
      rows.back().push_back(cell(estimate, metric.decimals, plus_minus));
  }
  return rows;
}

std::string heading(const Summary& summary, const Metric& metric) {
  const auto difference =
      summary.reference.empty()
          ? std::string()
          : fmt::format(", minus that of {} on the same cohort", summary.reference);
  return fmt::format("{}{}: mean ± 95 % interval, n scored of n planned", metric.title, difference);
}

std::string as_table(const Summary& summary, const Metric& metric) {
  return heading(summary, metric) + "\n" + aligned(cells(summary, metric, "±"));
}

std::string as_markdown(const Summary& summary, const Metric& metric) {
  return heading(summary, metric) + "\n\n" + markdown(cells(summary, metric, "±"));
}

std::string as_latex(const Summary& summary, const Metric& metric) {
  return latex(cells(summary, metric, "$\\pm$"), summary.axes.size() + 1, heading(summary, metric));
}

std::string as_csv(const Summary& summary) {
  Rows rows(1);
  rows[0] = summary.axes;
  for (const auto* name :
       {"hypothesis", "method", "labels", "mean", "half_width_95", "scored", "planned"})
    rows[0].push_back(name);
  for (const auto& row : summary.rows)
    for (std::size_t m = 0; m < summary.methods.size(); ++m) {
      const auto& [scored, planned, mean, half_width] = row.estimates[m];
      if (planned == 0) continue;
      rows.push_back(row.axis_values);
      for (const auto& text : {row.hypothesis, summary.methods[m], summary.labels[m],
                               scored > 0 ? fmt::format("{}", mean) : "",
                               half_width ? fmt::format("{}", *half_width) : "",
                               std::to_string(scored), std::to_string(planned)})
        rows.back().push_back(text);
    }
  return csv(rows);
}

std::string as_json(const Summary& summary, const Metric& metric) {
  nlohmann::ordered_json out;
  out["metric"] = metric.name;
  if (!summary.reference.empty()) out["minus"] = summary.reference;
  out["rows"] = nlohmann::ordered_json::array();
  for (const auto& row : summary.rows)
    for (std::size_t m = 0; m < summary.methods.size(); ++m) {
      const auto& [scored, planned, mean, half_width] = row.estimates[m];
      if (planned == 0) continue;
      nlohmann::ordered_json item;
      for (std::size_t axis = 0; axis < summary.axes.size(); ++axis)
        item["sweep"][summary.axes[axis]] = row.axis_values[axis];
      item["hypothesis"] = row.hypothesis;
      item["method"] = summary.methods[m];
      item["labels"] = summary.labels[m];
      item["mean"] = scored > 0 ? nlohmann::ordered_json(mean) : nlohmann::ordered_json();
      item["half_width_95"] =
          half_width ? nlohmann::ordered_json(*half_width) : nlohmann::ordered_json();
      item["scored"] = scored;
      item["planned"] = planned;
      out["rows"].push_back(std::move(item));
    }
  return out.dump(2) + "\n";
}

std::string short_cell(const std::optional<double>& mean, std::size_t scored, std::size_t planned,
                       int decimals) {
  if (planned == 0) return "-";
  if (!mean) return fmt::format("none scored  {}/{}", scored, planned);
  return fmt::format("{:.{}f}  {}/{}", *mean, decimals, scored, planned);
}

std::optional<double> mean_of(const Estimate& cell) {
  return cell.scored > 0 ? std::optional(cell.mean) : std::nullopt;
}

/// Head, a row per model and the column means.
Rows cells(const CrossTable& table, int decimals) {
  const auto mean = [&](const CellMean& cell) {
    return short_cell(cell.mean, cell.scored, cell.planned, decimals);
  };
  Rows rows{{"trained on"}};
  rows[0].insert(rows[0].end(), table.tested_on.begin(), table.tested_on.end());
  rows[0].emplace_back("mean");
  for (std::size_t i = 0; i < table.trained_on.size(); ++i) {
    rows.push_back({table.trained_on[i]});
    for (const auto& cell : table.cells[i])
      rows.back().push_back(short_cell(mean_of(cell), cell.scored, cell.planned, decimals));
    rows.back().push_back(mean(table.row_means[i]));
  }
  rows.push_back({"mean"});
  for (const auto& cell : table.column_means) rows.back().push_back(mean(cell));
  rows.back().push_back(mean(table.mean));
  return rows;
}

std::string heading(const CrossTable& table, const std::vector<std::string>& axes,
                    const Metric& metric) {
  std::string point;
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    point += fmt::format("{}={} ", axes[axis], table.axis_values[axis]);
  return fmt::format(
      "{}{} (labels: {}), trained on the row, tested on the column; {}: mean, n scored "
      "of n planned",
      point, table.method, table.labels, metric.title);
}

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

Json as_json(const Estimate& cell) {
  return {{"mean", number_or_null(mean_of(cell))},
          {"half_width_95", number_or_null(cell.half_width)},
          {"scored", cell.scored},
          {"planned", cell.planned}};
}

Json as_json(const CellMean& cell) {
  return {{"mean", number_or_null(cell.mean)}, {"scored", cell.scored}, {"planned", cell.planned}};
}

template <class Cells>
Json as_json_list(const Cells& cells) {
  Json out = Json::array();
  for (const auto& cell : cells) out.push_back(as_json(cell));
  return out;
}

std::string as_json(const std::vector<CrossTable>& tables, const std::vector<std::string>& axes,
                    const Metric& metric) {
  Json out;
  out["metric"] = metric.name;
  out["tables"] = Json::array();
  for (const auto& table : tables) {
    Json item;
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      item["sweep"][axes[axis]] = table.axis_values[axis];
    item["method"] = table.method;
    item["labels"] = table.labels;
    item["trained_on"] = table.trained_on;
    item["tested_on"] = table.tested_on;
    item["cells"] = Json::array();
    for (const auto& row : table.cells) item["cells"].push_back(as_json_list(row));
    item["row_means"] = as_json_list(table.row_means);
    item["column_means"] = as_json_list(table.column_means);
    item["mean"] = as_json(table.mean);
    out["tables"].push_back(std::move(item));
  }
  return out.dump(2) + "\n";
}

std::string as_csv(const std::vector<CrossTable>& tables, const std::vector<std::string>& axes) {
  Rows rows(1);
  rows[0] = axes;
  for (const auto* name : {"method", "labels", "trained_on", "hypothesis", "mean", "half_width_95",
                           "scored", "planned"})
    rows[0].push_back(name);
  for (const auto& table : tables) {
    const auto add = [&](const std::string& trained_on, const std::string& tested_on,
                         const std::optional<double>& mean, const std::optional<double>& half_width,
                         std::size_t scored, std::size_t planned) {
      rows.push_back(table.axis_values);
      for (const auto& text :
           {table.method, table.labels, trained_on, tested_on, mean ? fmt::format("{}", *mean) : "",
            half_width ? fmt::format("{}", *half_width) : "", std::to_string(scored),
            std::to_string(planned)})
        rows.back().push_back(text);
    };
    const auto add_mean = [&](const std::string& trained_on, const std::string& tested_on,
                              const CellMean& cell) {
      add(trained_on, tested_on, cell.mean, {}, cell.scored, cell.planned);
    };
    for (std::size_t i = 0; i < table.trained_on.size(); ++i) {
      for (std::size_t j = 0; j < table.tested_on.size(); ++j) {
        const auto& cell = table.cells[i][j];
        add(table.trained_on[i], table.tested_on[j], mean_of(cell), cell.half_width, cell.scored,
            cell.planned);
      }
      add_mean(table.trained_on[i], "", table.row_means[i]);
    }
    for (std::size_t j = 0; j < table.tested_on.size(); ++j)
      add_mean("", table.tested_on[j], table.column_means[j]);
    add_mean("", "", table.mean);
  }
  return csv(rows);
}

/// What is said of fits: each text once, with the methods that gave it, how often and where first.
/// What is in the data is said by every method that is given them.
class Remarks {
 public:
  void add(const ResultRow& row, const std::string& text) {
    auto& remark = remarks_[text];
    remark.methods.insert(row.method);
    if (remark.count++ > 0) return;
    remark.first = fmt::format("{} cohort {}", row.hypothesis, row.cohort);
    if (!row.trained_on.empty())
      remark.first +=
          (row.hypothesis == kRealCohort ? ", with " : ", trained on ") + row.trained_on;
  }

  /// Empty if nothing was said.
  std::string table(const std::string& what) const {
    if (remarks_.empty()) return {};
    Rows rows{{"method", "fits", "first", what}};
    for (const auto& [text, remark] : remarks_)
      rows.push_back({fmt::format("{}", fmt::join(remark.methods, ", ")),
                      std::to_string(remark.count), remark.first, text});
    std::stable_sort(rows.begin() + 1, rows.end(),
                     [](const auto& a, const auto& b) { return a[0] < b[0]; });
    return aligned(rows);
  }

 private:
  struct Remark {
    std::set<std::string> methods;
    std::size_t count = 0;
    std::string first;
  };
  std::map<std::string, Remark> remarks_;  // by text
};

}  // namespace

const std::vector<std::string>& summary_formats() {
  static const std::vector<std::string> formats{"table", "csv", "json", "latex", "markdown"};
  return formats;
}

std::string render(const Summary& summary, const Metric& metric, const std::string& format) {
  if (format == "csv") return as_csv(summary);
  if (format == "json") return as_json(summary, metric);
  if (format == "latex") return as_latex(summary, metric);
  if (format == "markdown") return as_markdown(summary, metric);
  return as_table(summary, metric);
}

std::string render(const std::vector<CrossTable>& tables, const std::vector<std::string>& axes,
                   const Metric& metric, const std::string& format) {
  if (format == "csv") return as_csv(tables, axes);
  if (format == "json") return as_json(tables, axes, metric);
  std::string out;
  for (const auto& table : tables) {
    const auto title = heading(table, axes, metric);
    const auto rows = cells(table, metric.decimals);
    if (!out.empty()) out += "\n";
    if (format == "latex")
      out += latex(rows, 1, title);
    else if (format == "markdown")
      out += title + "\n\n" + markdown(rows);
    else
      out += title + "\n" + aligned(rows);
  }
  return out;
}

std::string model_table(const std::vector<ModelRecord>& models) {
  if (models.empty()) return {};
  Rows rows{{"model", "epochs", "seconds", "last epoch"}};
  for (const auto& model : models) {
    std::vector<std::vector<std::string>> lines;
    Problems ignored;  // tempo wrote it
    for_each_csv_row(model.history, model.name, ignored, [&](const CsvRow& row) {
      lines.emplace_back();
      for (const auto& field : row) lines.back().push_back(field.text);
    });
    std::string last;
    const auto columns = lines.size() > 1 ? std::min(lines.front().size(), lines.back().size()) : 0;
    for (std::size_t i = 1; i < columns; ++i) {
      const auto& text = lines.back()[i];
      double value = 0.0;
      const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
      last += fmt::format("{}{} {}", i > 1 ? ", " : "", lines.front()[i],
                          fault == std::errc() ? fmt::format("{:.4g}", value) : text);
    }
    rows.push_back({model.name, std::to_string(std::max<std::size_t>(1, lines.size()) - 1),
                    fmt::format("{:.1f}", model.seconds), last});
  }
  return aligned(rows);
}

std::string intake_text(const std::vector<StoredCohort>& cohorts) {
  std::string text;
  for (const auto& cohort : cohorts) {
    const auto own = cohort.name + "\n" + cohort.intake;
    if (text.find(own) == std::string::npos) text += own;
  }
  return text;
}

std::string real_fit_table(const RunResults& results) {
  struct Line {
    std::vector<std::string> names;  // axis values, method, labels, trained_on
    std::size_t planned = 0, fitted = 0, replicates = 0, fitted_replicates = 0;
    double seconds = 0.0;
  };
  std::vector<Line> lines;
  std::map<std::vector<std::string>, std::size_t> numbers;
  bool any_replicates = false;
  for (const auto& row : results.rows) {
    if (row.hypothesis != kRealCohort) continue;
    auto names = row.axis_values;
    for (const auto& text : {row.method, row.labels, row.trained_on.empty() ? "-" : row.trained_on})
      names.push_back(text);
    const auto [at, is_new] = numbers.emplace(names, lines.size());
    if (is_new) lines.push_back({.names = names});
    auto& line = lines[at->second];
    const bool is_replicate = row.cohort > 0;
    const bool is_ok = row.status == ResultRow::Status::ok;
    ++(is_replicate ? line.replicates : line.planned);
    if (!is_ok) continue;
    ++(is_replicate ? line.fitted_replicates : line.fitted);
    line.seconds += row.seconds;
  }
  for (const auto& line : lines) any_replicates = any_replicates || line.replicates > 0;
  if (lines.empty()) return {};
  Rows rows{results.axes};
  for (const auto* name : {"method", "labels", "under or trained on", "fitted"})
    rows[0].push_back(name);
  if (any_replicates) rows[0].emplace_back("replicates");
  rows[0].emplace_back("seconds per fit");
  for (const auto& line : lines) {
    const auto done = line.fitted + line.fitted_replicates;
    rows.push_back(line.names);
    rows.back().push_back(fmt::format("{}/{}", line.fitted, line.planned));
    if (any_replicates)
      rows.back().push_back(line.replicates == 0
                                ? "-"
                                : fmt::format("{}/{}", line.fitted_replicates, line.replicates));
    rows.back().push_back(
        done == 0 ? "-" : fmt::format("{:.3f}", line.seconds / static_cast<double>(done)));
  }
  return aligned(rows);
}

std::string results_csv(const RunResults& results) {
  Rows rows(1);
  rows[0] = results.axes;
  for (const auto* name : {"hypothesis", "cohort", "method", "trained_on", "status", "tau_distance",
                           "stage_mae", "sequence_mae", "seconds", "labels", "error"})
    rows[0].push_back(name);
  for (const auto& row : results.rows) {
    if (row.status == ResultRow::Status::pending) continue;
    const bool scored = row.status == ResultRow::Status::ok;
    const auto number = [&](double value) {
      return scored && !std::isnan(value) ? fmt::format("{}", value) : "";
    };
    rows.push_back(row.axis_values);
    for (const auto& text :
         {row.hypothesis, std::to_string(row.cohort), row.method, row.trained_on,
          std::string(to_string(row.status)), number(row.tau_distance), number(row.stage_mae),
          number(row.sequence_mae), fmt::format("{:.6f}", row.seconds), row.labels, row.error})
      rows.back().push_back(text);
  }
  return csv(rows);
}

std::string render(const std::vector<FitTrace>& traces, const std::vector<std::string>& axes,
                   const std::string& format) {
  if (format == "json") {
    auto list = nlohmann::ordered_json::array();
    for (const auto& [row, chains] : traces)
      for (std::size_t chain = 0; chain < chains.size(); ++chain)
        for (std::size_t point = 0; point < chains[chain].size(); ++point) {
          auto& item = list.emplace_back();
          for (std::size_t axis = 0; axis < axes.size(); ++axis)
            item["sweep"][axes[axis]] = row.axis_values[axis];
          item.update({{"hypothesis", row.hypothesis},
                       {"cohort", row.cohort},
                       {"method", row.method},
                       {"trained_on", row.trained_on},
                       {"chain", chain},
                       {"point", point},
                       {"log_likelihood", chains[chain][point]}});  // JSON has no infinity: null
        }
    return nlohmann::ordered_json{{"table", "traces"}, {"rows", std::move(list)}}.dump(2) + "\n";
  }
  Rows rows{axes};
  for (const auto* name :
       {"hypothesis", "cohort", "method", "trained_on", "chain", "point", "log_likelihood"})
    rows[0].push_back(name);
  for (const auto& [row, chains] : traces)
    for (std::size_t chain = 0; chain < chains.size(); ++chain)
      for (std::size_t point = 0; point < chains[chain].size(); ++point) {
        rows.push_back(row.axis_values);
        for (const auto& text : {row.hypothesis, std::to_string(row.cohort), row.method,
                                 row.trained_on, std::to_string(chain), std::to_string(point),
                                 fmt::format("{}", chains[chain][point])})
          rows.back().push_back(text);
      }
  const std::string heading = "log-likelihoods along Markov chains";
  if (format == "csv") return csv(rows);
  if (format == "latex") return latex(rows, rows[0].size() - 1, heading);
  if (format == "markdown") return heading + "\n\n" + markdown(rows);
  return heading + "\n" + aligned(rows);
}

std::string failure_table(const RunResults& results) {
  Remarks failures;
  for (const auto& row : results.rows)
    if (row.status == ResultRow::Status::failed) failures.add(row, row.error);
  return failures.table("error");
}

std::string warning_table(const RunResults& results) {
  Remarks warnings;
  for (const auto& row : results.rows)
    for (const auto& warning : row.warnings) {
      // Every replicate lacks another number of measurements: that of the cohort itself says it.
      const bool is_replicate = row.hypothesis == kRealCohort && row.cohort > 0;
      if (!is_replicate || !is_count_of_missing(warning)) warnings.add(row, warning);
    }
  return warnings.table("warning");
}

}  // namespace tempo
