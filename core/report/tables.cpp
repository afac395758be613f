#include "report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "data/csv_rows.hpp"

namespace tempo {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string csv(const Rows& rows) {
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      out += (i > 0 ? "," : "") + (row[i].empty() ? row[i] : csv_field(row[i]));
    out += '\n';
  }
  return out;
}

/// The width of a UTF-8 text on a terminal, counting a character per code point.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

/// Columns padded to equal width, two spaces between them.
std::string aligned(const Rows& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - width(row[i]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

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
  const auto difference = summary.reference.empty()
                              ? std::string()
                              : fmt::format(", minus that of {} on the same cohort",
                                            summary.reference);
  return fmt::format("{}{}: mean ± 95 % interval, n scored of n planned", metric.title, difference);
}

std::string as_table(const Summary& summary, const Metric& metric) {
  return heading(summary, metric) + "\n" + aligned(cells(summary, metric, "±"));
}

std::string as_markdown(const Summary& summary, const Metric& metric) {
  const auto rows = cells(summary, metric, "±");
  std::string out = heading(summary, metric) + "\n\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += "|";
    for (auto text : rows[i]) {
      for (std::size_t bar = 0; (bar = text.find('|', bar)) != std::string::npos; bar += 2)
        text.insert(bar, "\\");
      out += " " + text + " |";
    }
    out += "\n";
    if (i > 0) continue;
    out += "|";
    for (std::size_t column = 0; column < rows[i].size(); ++column) out += "---|";
    out += "\n";
  }
  return out;
}

std::string latex_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      out += {'\\', c};
    else if (c == '\\')
      out += "\\textbackslash{}";
    else if (c == '~' || c == '^')
      out += fmt::format("\\{}{{}}", c);
    else
      out += c;
  }
  return out;
}

std::string as_latex(const Summary& summary, const Metric& metric) {
  const auto rows = cells(summary, metric, "$\\pm$");
  const auto names = summary.axes.size() + 1;
  std::string out = fmt::format("% {}\n\\begin{{tabular}}{{{}{}}}\n\\hline\n", heading(summary, metric),
                                std::string(names, 'l'), std::string(summary.methods.size(), 'r'));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t column = 0; column < rows[i].size(); ++column) {
      const bool is_estimate = i > 0 && column >= names;  // may hold $\pm$
      out +=
          (column > 0 ? " & " : "") + (is_estimate ? rows[i][column] : latex_text(rows[i][column]));
    }
    out += i == 0 ? " \\\\\n\\hline\n" : " \\\\\n";
  }
  return out + "\\hline\n\\end{tabular}\n";
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

/// What is said of fits: each text once per method, with how often and where first.
class Remarks {
 public:
  void add(const ResultRow& row, const std::string& text) {
    auto& remark = remarks_[{row.method, text}];
    if (remark.count++ == 0) remark.first = fmt::format("{} cohort {}", row.hypothesis, row.cohort);
  }

  /// Empty if nothing was said.
  std::string table(const std::string& what) const {
    if (remarks_.empty()) return {};
    Rows rows{{"method", "fits", "first", what}};
    for (const auto& [key, remark] : remarks_)
      rows.push_back({key.first, std::to_string(remark.count), remark.first, key.second});
    return aligned(rows);
  }

 private:
  struct Remark {
    std::size_t count = 0;
    std::string first;
  };
  std::map<std::pair<std::string, std::string>, Remark> remarks_;  // method and text
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

std::string results_csv(const RunResults& results) {
  Rows rows(1);
  rows[0] = results.axes;
  for (const auto* name : {"hypothesis", "cohort", "method", "trained_on", "status", "tau_distance",
                           "stage_mae", "sequence_mae", "seconds", "labels", "error"})
    rows[0].push_back(name);
  for (const auto& row : results.rows) {
    if (row.status == ResultRow::Status::pending) continue;
    const bool scored = row.status == ResultRow::Status::ok;
    const auto number = [&](double value) { return scored ? fmt::format("{}", value) : ""; };
    rows.push_back(row.axis_values);
    for (const auto& text :
         {row.hypothesis, std::to_string(row.cohort), row.method, row.trained_on,
          std::string(to_string(row.status)), number(row.tau_distance), number(row.stage_mae),
          number(row.sequence_mae), fmt::format("{:.6f}", row.seconds), row.labels, row.error})
      rows.back().push_back(text);
  }
  return csv(rows);
}

std::string traces_csv(const std::vector<std::string>& axes, const std::vector<FitTrace>& traces) {
  Rows rows{axes};
  for (const auto* name :
       {"hypothesis", "cohort", "method", "trained_on", "chain", "point", "log_likelihood"})
    rows[0].push_back(name);
  for (const auto& [row, chains] : traces)
    for (std::size_t chain = 0; chain < chains.size(); ++chain)
      for (std::size_t point = 0; point < chains[chain].size(); ++point) {
        rows.push_back(row.axis_values);
        for (const auto& text :
             {row.hypothesis, std::to_string(row.cohort), row.method, row.trained_on,
              std::to_string(chain), std::to_string(point), fmt::format("{}", chains[chain][point])})
          rows.back().push_back(text);
      }
  return csv(rows);
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
    for (const auto& warning : row.warnings) warnings.add(row, warning);
  return warnings.table("warning");
}

}  // namespace tempo
