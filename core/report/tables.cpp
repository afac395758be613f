#include "report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analysis/real_fits.hpp"
#include "analysis/remarks.hpp"
#include "data/names.hpp"
#include "model/printable.hpp"
#include "report/append.hpp"
#include "report/text_layout.hpp"

namespace tempo {
namespace {

/// The numbers of a model's last epoch in words; empty without an epoch.
std::string last_epoch(const TrainingHistory& history) {
  if (history.epochs.empty()) return {};
  const auto& numbers = history.epochs.back();
  std::vector<std::pair<std::string, double>> named;
  for (std::size_t i = 1; i < std::min(history.columns.size(), numbers.size()); ++i)
    named.emplace_back(history.columns[i], numbers[i]);
  return epoch_in_words(named);
}

/// `h1 cohort 3, trained on h2`
std::string place_of(const FitId& id) {
  auto out = fmt::format("{} cohort {}", generated_by(id), id.cohort);
  if (const auto& base = rests_on(id); !base.empty())
    out += (id.is_real() ? ", with " : ", trained on ") + base;
  return out;
}

/// `timed out`
std::string in_words(FitStatus status) {
  std::string out(to_string(status));
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

/// Texts with who said them of how many fits: those of trainings first, then the most frequent.
struct RemarkRow {
  std::string method;
  std::size_t fits = 0;  ///< but for those of replicates
  std::size_t replicates = 0;
  bool is_of_training = false;
  std::string first;
  std::string text;
  FitStatus status = FitStatus::ok;
};

std::vector<RemarkRow> remark_rows(const Remarks& remarks,
                                   const std::vector<ModelRecord>& models = {}) {
  std::vector<RemarkRow> rows;
  for (const auto& model : models)
    for (const auto& warning : model.warnings)
      rows.push_back({model.method, 0, 0, true, "training on " + model.trained_on, warning});
  const auto of_fits = static_cast<std::ptrdiff_t>(rows.size());
  for (const auto& [text, methods, fits, replicates, first, status] : remarks.all())
    rows.push_back({fmt::format("{}", fmt::join(methods, ", ")), fits, replicates, false,
                    place_of(first), text, status});
  std::sort(rows.begin() + of_fits, rows.end(), [](const RemarkRow& a, const RemarkRow& b) {
    return std::tie(b.fits, b.replicates, a.method, a.text) <
           std::tie(a.fits, a.replicates, b.method, b.text);
  });
  return rows;
}

/// No blocks if nothing was said.
/// @param has_status  whether files have the fits' status, and people where it has a name
Table remark_table(const std::vector<RemarkRow>& remarks, const std::string& what,
                   bool has_status) {
  Table out;
  out.columns = {"method", "fits", "replicates", "first"};
  if (has_status) out.columns.emplace_back("status");
  out.columns.push_back(what);
  const bool any_named =
      has_status && std::any_of(remarks.begin(), remarks.end(), [](const RemarkRow& row) {
        return row.status != FitStatus::failed;
      });
  const bool any_replicates = std::any_of(remarks.begin(), remarks.end(),
                                          [](const RemarkRow& row) { return row.replicates > 0; });
  Rows rows{{"method", "fits"}};
  if (any_replicates) rows[0].emplace_back("replicates");
  rows[0].emplace_back("first");
  if (any_named) rows[0].emplace_back("status");
  rows[0].push_back(what);
  for (const auto& [method, fits, replicates, is_of_training, first, text, status] : remarks) {
    auto& row = rows.emplace_back(std::vector<std::string>{method});
    const auto count = [&](std::size_t number) {
      row.push_back(is_of_training ? "" : std::to_string(number));
      return is_of_training ? Cell() : Cell(number);
    };
    std::vector<Cell> cells{method, count(fits)};
    if (any_replicates)
      cells.push_back(count(replicates));
    else
      cells.push_back(is_of_training ? Cell() : Cell(replicates));
    row.push_back(first);
    if (any_named) row.push_back(in_words(status));
    row.push_back(text);
    cells.emplace_back(first);
    if (has_status) cells.emplace_back(std::string(to_string(status)));
    cells.emplace_back(text);
    out.rows.push_back(std::move(cells));
  }
  if (!remarks.empty()) out.blocks = {{.heading = "", .rows = std::move(rows)}};
  return out;
}

}  // namespace

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
                       "stage_mae", "sequence_mae"});
  const bool of_subtypes = has_subtypes(results);
  if (of_subtypes)
    for (const auto& metric : subtype_metrics()) out.columns.emplace_back(metric.name);
  append(out.columns, {"seconds", "labels", "error"});
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
            score(scores.tau_distance), score(scores.stage_mae), score(scores.sequence_mae)});
    if (of_subtypes)
      for (const auto& metric : subtype_metrics()) row.push_back(score(metric.in(result)));
    append(row, {fmt::format("{:.6f}", seconds), id.labels, error});
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
  return remark_table(remark_rows(failures_of(results)), "error", true);
}

Table warning_table(const RunResults& results, const std::vector<ModelRecord>& models) {
  return remark_table(
      remark_rows(warnings_of(results, WarningScope::without_gaps_of_replicates), models),
      "warning", false);
}

std::string warnings_in_short(const RunResults& results, const std::vector<ModelRecord>& models,
                              const std::string& pointer, std::size_t width) {
  const auto said =
      remark_rows(warnings_of(results, WarningScope::without_gaps_of_replicates), models);
  if (said.empty()) return {};
  const auto& [method, fits, replicates, is_of_training, first, text, status] = said.front();
  const auto of = is_of_training ? fmt::format("{}, {}", method, first)
                  : fits == 0    ? fmt::format("{} of {}", counted(replicates, "replicate"), method)
                  : replicates > 0 ? fmt::format("{} and {} of {}", counted(fits, "fit"),
                                                 counted(replicates, "replicate"), method)
                                   : fmt::format("{} of {}", counted(fits, "fit"), method);
  const auto line = [&](const std::string& long_line) {
    return shortened(printable(long_line, ""), width) + "\n";
  };
  if (said.size() == 1) return line(fmt::format("warning ({}): {}", of, text)) + line(pointer);
  return line(fmt::format("{} different warnings, such as this ({}):", said.size(), of)) +
         line("  " + text) + line(pointer);
}

}  // namespace tempo
