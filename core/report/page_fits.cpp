#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "analysis/cross_table.hpp"
#include "analysis/learning_curve.hpp"
#include "analysis/summary.hpp"
#include "report/page_parts.hpp"
#include "report/sweep_tables.hpp"
#include "report/tables.hpp"

namespace tempo::page {
namespace {

/// Places in lists of distinct values, in the order they come up.
template <class Value>
class Numbering {
 public:
  std::size_t operator()(const Value& value) {
    const auto [at, is_new] = numbers_.emplace(value, values_.size());
    if (is_new) values_.push_back(value);
    return at->second;
  }
  const std::vector<Value>& values() const { return values_; }

 private:
  std::map<Value, std::size_t> numbers_;
  std::vector<Value> values_;
};

std::string in_words(Metric::Better better) {
  switch (better) {
    case Metric::Better::lower:
      return "lower";
    case Metric::Better::higher:
      return "higher";
    case Metric::Better::neither:
      break;
  }
  return "neither";
}

/// By which methods are ranked: the matched distance where all cohorts have subtypes.
std::string ranking_metric(const RunResults& results) {
  const bool have_subtypes =
      has_subtypes(results) &&
      std::all_of(results.rows.begin(), results.rows.end(), [](const FitRow& row) {
        const auto& scores = row.result.scores;
        return std::isnan(scores.tau_distance) || scores.has_subtypes();
      });
  return have_subtypes ? "matched_tau_distance" : "tau_distance";
}

}  // namespace

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

void add_fits(const RunResults& results, Json& out) {
  Numbering<std::vector<std::string>> points;
  Numbering<std::string> hypotheses, methods, models;
  std::map<std::string, std::string> labels;
  Json columns;
  const auto metrics = metrics_of(results);
  for (const auto& [id, result] : results.rows) {
    const auto& base = rests_on(id);
    columns["point"].push_back(points(id.axis_values));
    columns["hypothesis"].push_back(hypotheses(generated_by(id)));
    columns["cohort"].push_back(id.cohort);
    columns["method"].push_back(methods(id.method));
    columns["trained_on"].push_back(base.empty() ? Json() : Json(models(base)));
    columns["in_distribution"].push_back(is_in_distribution(id) ? 1 : 0);
    columns["status"].push_back(static_cast<int>(result.status));
    const bool is_ok = result.status == FitStatus::ok;
    for (const auto& metric : metrics)
      columns[metric.name].push_back(is_ok ? number(metric.in(result)) : Json());
    labels[id.method] = id.labels;
  }
  out["points"] = points.values();
  out["hypotheses"] = hypotheses.values();
  out["methods"] = Json::array();
  for (const auto& method : methods.values()) {
    auto& item = out["methods"].emplace_back(Json{{"id", method}, {"labels", labels[method]}});
    if (results.outside.contains(method)) item["outside"] = true;
  }
  out["trained_on"] = models.values();
  out["fits"] = std::move(columns);
}

void add_tables(const RunResults& results, const std::string& limit, Json& out) {
  // As in JSON of `tempo results`, and which are best.
  const auto rows = [](const Summary& summary, const Metric& metric) {
    auto found = rows_as_json(summary_table(summary, metric));
    std::size_t at = 0;
    for (const auto& row : summary.rows)
      for (std::size_t m = 0; m < summary.methods.size(); ++m)
        if (row.estimates[m].planned > 0) found[at++]["best"] = static_cast<bool>(row.is_best[m]);
    return found;
  };
  out["ranked_by"] = ranking_metric(results);
  out["metrics"] = Json::array();
  for (const auto& metric : metrics_of(results)) {
    out["metrics"].push_back({{"name", metric.name},
                              {"title", metric.title},
                              {"decimals", metric.decimals},
                              {"better", in_words(metric.better())},
                              {"least", number(metric.least())}});
    out["overall"][metric.name] = rows(summarise_over_hypotheses(results, metric, limit), metric);
    out["summaries"][metric.name] = rows(summarise(results, metric, limit), metric);
    if (!limit_among(results, limit).empty())
      out["against_limit"][metric.name] =
          rows(summarise_against(limit, results, metric, limit), metric);
    if (const auto tables = cross_tables(results, metric); !tables.empty())
      out["cross"][metric.name] = cross_table(tables, results.axes, metric).document->at("tables");
  }
}

void add_curves(const RunResults& results, const std::string& limit, Store& store, Json& out) {
  std::map<std::size_t, std::vector<SweepLine>> by_axis;
  for (auto& line : sweep_lines(results)) by_axis[line.axis].push_back(std::move(line));
  out["shared_along"] = Json::object();
  for (const auto& [axis, lines] : by_axis)
    out["shared_along"][results.axes[axis]] = in_words(shared_along(lines, store));
  for (const auto& metric : metrics_of(results)) {
    auto& rows = out["changes"][metric.name] = Json::array();
    for (const auto& [axis, lines] : by_axis)
      for (const auto& line : lines)
        for (auto& row : rows_as_json(curve_table({learning_curve(line, results, metric, limit)},
                                                  metric, Shared::unknown)))
          if (!row["from"].is_null()) rows.push_back(std::move(row));
  }
}

}  // namespace tempo::page
