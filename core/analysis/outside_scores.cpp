#include "analysis/outside_scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/further_scores.hpp"
#include "analysis/summary.hpp"
#include "data/csv_rows.hpp"
#include "data/names.hpp"
#include "data/public_cohorts.hpp"
#include "data/text_file.hpp"

namespace tempo {
namespace {

class ScoreTable {
 public:
  ScoreTable(std::string_view text, const std::string& name, std::vector<Metric> metrics,
             RunResults& results, Problems& problems)
      : text_(text),
        name_(name),
        metrics_(std::move(metrics)),
        results_(results),
        problems_(problems) {
    for (const auto& [id, result] : results.rows) {
      cohorts_.emplace(id.axis_values, generated_by(id), id.cohort);
      folders_.emplace(public_folder_name(generated_by(id)), generated_by(id));
      methods_.insert(id.method);
    }
  }

  void take(const CsvRow& row) {
    if (header_.empty())
      take_header(row);
    else if (readable_)
      take_score(row);
  }

  OutsideScores finish() {
    if (header_.empty())
      problems_.add({name_}, "is empty; expected a header with hypothesis, cohort, method");
    else if (readable_ && added_ == 0 && faults_ == 0)
      problems_.add({name_},
                    fmt::format("none of its {} rows is of a cohort of this run", left_out_));
    return {left_out_, std::move(other_columns_)};
  }

 private:
  void complain(std::size_t offset, const std::string& message) {
    ++faults_;
    problems_.add(place_in_text(text_, offset, name_), message);
  }

  void take_header(const CsvRow& row) {
    auto known = results_.axes;
    for (const auto* name : {"hypothesis", "cohort", "method", "status", "labels", "error"})
      known.emplace_back(name);
    for (const auto& metric : metrics_) known.push_back(metric.name);
    // Columns of tempo score, of which those that nobody asks for are not looked at.
    for (const auto& score : further_scores())
      if (std::find(known.begin(), known.end(), score.metric.name) == known.end())
        known.push_back(score.metric.name);
    for (const auto& field : row) {
      if (std::find(known.begin(), known.end(), field.text) == known.end()) {
        if (const auto meant = did_you_mean(field.text, known); !meant.empty())
          complain(field.offset, fmt::format("unknown column '{}'; expected {}{}", field.text,
                                             one_of(known), meant));
        else
          other_columns_.push_back(field.text.empty() ? fmt::format("column {}", header_.size() + 1)
                                                      : field.text);
      } else if (std::find(header_.begin(), header_.end(), field.text) != header_.end()) {
        complain(field.offset, fmt::format("column '{}' is given twice", field.text));
      }
      header_.push_back(field.text);
    }
    for (const auto* name : {"hypothesis", "cohort", "method"})
      if (column(name) == header_.size())
        complain(row[0].offset, fmt::format("missing column '{}'", name));
    for (const auto& axis : results_.axes)
      if (column(axis) == header_.size())
        complain(row[0].offset,
                 fmt::format("missing column '{}', which the run sweeps over", axis));
    if (std::none_of(metrics_.begin(), metrics_.end(),
                     [&](const Metric& metric) { return column(metric.name) < header_.size(); }))
      complain(row[0].offset,
               "has no score; expected a column tau_distance, stage_mae or another "
               "metric of results.csv");
    readable_ = faults_ == 0;
  }

  std::size_t column(std::string_view name) const {
    return static_cast<std::size_t>(std::find(header_.begin(), header_.end(), name) -
                                    header_.begin());
  }

  void take_score(const CsvRow& fields) {
    if (fields.size() != header_.size()) {
      complain(fields[0].offset, fmt::format("found {} fields, expected {} as in the header",
                                             fields.size(), header_.size()));
      return;
    }
    FitRow row;
    auto& [id, result] = row;
    for (const auto& axis : results_.axes) id.axis_values.push_back(fields[column(axis)].text);
    id.hypothesis = as_the_run_says(fields[column("hypothesis")].text);
    id.method = fields[column("method")].text;
    id.labels = text_of(fields, "labels", "not stated");
    result.error = text_of(fields, "error", "");
    take_status(fields, result);
    const auto& cohort = fields[column("cohort")];
    if (parse_number(cohort.text, id.cohort) != std::errc()) {
      complain(cohort.offset, fmt::format("cohort '{}' is not a number", cohort.text));
      return;
    }
    take_metrics(fields, result);
    if (methods_.count(id.method) > 0)
      complain(fields[column("method")].offset,
               fmt::format("method '{}' is one of the run's own; give it another name", id.method));
    else if (cohorts_.count({id.axis_values, id.hypothesis, id.cohort}) == 0)
      ++left_out_;
    else if (!seen_.insert(id).second)
      complain(fields[0].offset, fmt::format("'{}' on {} cohort {} is given twice", id.method,
                                             id.hypothesis, id.cohort));
    else
      add(std::move(row));
  }

  /// `exp3` is `h3` where the run simulates h3: its cohorts are written to that folder.
  std::string as_the_run_says(const std::string& hypothesis) const {
    const auto folder = folders_.find(hypothesis);
    return folder == folders_.end() ? hypothesis : folder->second;
  }

  void take_status(const CsvRow& fields, FitResult& result) {
    const auto status = text_of(fields, "status", "ok");
    const auto found = fit_status_from(status);
    result.status = found.value_or(FitStatus::ok);
    if (!found || *found == FitStatus::pending)
      complain(fields[column("status")].offset,
               fmt::format("status '{}'; expected 'ok' or 'failed', or the name of a failure as in "
                           "results.csv",
                           status));
  }

  void take_metrics(const CsvRow& fields, FitResult& result) {
    for (const auto& metric : metrics_) {
      const bool is_there = column(metric.name) < header_.size();
      if (is_there || metric.of != Metric::Of::further)
        metric.set(result, std::numeric_limits<double>::quiet_NaN());
      if (!is_there) continue;
      const auto& field = fields[column(metric.name)];
      if (field.text.empty()) continue;
      double value = 0.0;
      if (parse_number(field.text, value) != std::errc() || !std::isfinite(value))
        complain(field.offset, fmt::format("{} '{}' is not a number", metric.name, field.text));
      else if (value < metric.least() || value > metric.most())
        complain(field.offset, fmt::format("{} {} cannot be: it is {}", metric.name, field.text,
                                           std::isinf(metric.most())
                                               ? "at least 0"
                                               : fmt::format("between {} and {}", metric.least(),
                                                             metric.most())));
      metric.set(result, value);
    }
  }

  std::string text_of(const CsvRow& fields, std::string_view name, const char* otherwise) const {
    return column(name) < header_.size() ? fields[column(name)].text : otherwise;
  }

  void add(FitRow row) {
    ++added_;
    results_.outside.insert(row.id.method);
    results_.rows.push_back(std::move(row));
  }

  std::string_view text_;
  const std::string& name_;
  std::vector<Metric> metrics_;  // whose columns are read
  RunResults& results_;
  Problems& problems_;
  std::set<std::tuple<std::vector<std::string>, std::string, std::size_t>> cohorts_;
  std::map<std::string, std::string> folders_;  // of the hypotheses, in a folder of cohorts
  std::set<std::string> methods_;
  std::set<FitId> seen_;
  std::vector<std::string> header_, other_columns_;
  bool readable_ = false;
  std::size_t faults_ = 0, added_ = 0, left_out_ = 0;
};

}  // namespace

OutsideScores add_outside_scores(const std::filesystem::path& path, RunResults& results,
                                 Problems& problems, const std::optional<Metric>& asked) {
  const auto name = path.string();
  const auto bytes = read_text_file(path, problems);
  if (!bytes) return {};
  const auto text = checked_text(*bytes, name, problems);
  if (!text) return {};
  auto metrics = all_metrics();
  if (asked && asked->of == Metric::Of::further) metrics.push_back(*asked);
  ScoreTable table(*text, name, std::move(metrics), results, problems);
  for_each_csv_row(*text, name, problems, [&](const CsvRow& row) { table.take(row); });
  return table.finish();
}

}  // namespace tempo
