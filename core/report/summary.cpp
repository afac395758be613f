#include "report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace tempo {

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> all{
      {"tau_distance", "tau distance (share of pairs out of order; 0 is perfect, chance is 0.5)",
       &ResultRow::tau_distance, 4},
      {"stage_mae", "staging error (mean absolute error, in stages)", &ResultRow::stage_mae, 3},
      {"sequence_mae", "event time error (mean absolute error, on the scale 0..B)",
       &ResultRow::sequence_mae, 3},
      {"seconds", "seconds per cohort (one thread)", &ResultRow::seconds, 3},
  };
  return all;
}

const Metric* find_metric(const std::string& name) {
  for (const auto& metric : metrics())
    if (metric.name == name) return &metric;
  return nullptr;
}

Estimate estimate(const std::vector<double>& values, std::size_t planned) {
  Estimate out{.scored = values.size(), .planned = planned, .mean = 0.0, .half_width = {}};
  if (values.empty()) return out;
  const auto n = static_cast<double>(values.size());
  for (const auto value : values) out.mean += value / n;
  if (values.size() < 2) return out;
  double squares = 0.0;
  for (const auto value : values) squares += (value - out.mean) * (value - out.mean);
  out.half_width = 1.96 * std::sqrt(squares / (n - 1.0) / n);
  return out;
}

Summary summarise(const RunResults& results, const Metric& metric) {
  Summary summary;
  summary.axes = results.axes;
  struct Cell {
    std::vector<double> values;
    std::size_t planned = 0;
  };
  std::vector<std::map<std::string, Cell>> cells;
  std::map<std::pair<std::vector<std::string>, std::string>, std::size_t> row_numbers;
  for (const auto& row : results.rows) {
    if (std::find(summary.methods.begin(), summary.methods.end(), row.method) ==
        summary.methods.end()) {
      summary.methods.push_back(row.method);
      summary.labels.push_back(row.labels);
    }
    const auto [at, is_new] =
        row_numbers.emplace(std::pair(row.axis_values, row.hypothesis), summary.rows.size());
    if (is_new) {
      summary.rows.push_back({row.axis_values, row.hypothesis, {}});
      cells.emplace_back();
    }
    auto& cell = cells[at->second][row.method];
    if (row.status == ResultRow::Status::ok) {
      if (std::isnan(row.*metric.value)) continue;
      cell.values.push_back(row.*metric.value);
    }
    ++cell.planned;
  }
  for (std::size_t i = 0; i < summary.rows.size(); ++i)
    for (const auto& method : summary.methods)
      summary.rows[i].estimates.push_back(
          estimate(cells[i][method].values, cells[i][method].planned));
  return summary;
}

RunResults differences_from(const std::string& reference, const RunResults& results) {
  using Cohort = std::tuple<std::vector<std::string>, std::string, std::size_t>;
  const auto cohort_of = [](const ResultRow& row) {
    return Cohort(row.axis_values, row.hypothesis, row.cohort);
  };
  std::map<Cohort, const ResultRow*> references;
  for (const auto& row : results.rows)
    if (row.method == reference) references[cohort_of(row)] = &row;
  RunResults out{results.name, results.axes, {}};
  for (const auto& row : results.rows) {
    const auto found = references.find(cohort_of(row));
    if (found == references.end() || row.method == reference) continue;
    auto difference = row;
    const auto& other = *found->second;
    if (difference.status == ResultRow::Status::ok) difference.status = other.status;
    for (const auto& metric : metrics()) difference.*metric.value -= other.*metric.value;
    out.rows.push_back(std::move(difference));
  }
  return out;
}

}  // namespace tempo
