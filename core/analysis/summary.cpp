#include "analysis/summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
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

bool is_in_distribution(const ResultRow& row) {
  return row.hypothesis == kRealCohort || row.trained_on.empty() ||
         row.trained_on == row.hypothesis || row.trained_on == kTrainedOnAll;
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
    if (!is_in_distribution(row)) continue;
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
  using CohortKey = std::tuple<std::vector<std::string>, std::string, std::size_t>;
  const auto cohort_of = [](const ResultRow& row) {
    return CohortKey(row.axis_values, row.hypothesis, row.cohort);
  };
  std::map<CohortKey, const ResultRow*> references;
  for (const auto& row : results.rows)
    if (row.method == reference && is_in_distribution(row)) references[cohort_of(row)] = &row;
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

Summary summarise_against(const std::string& reference, const RunResults& results,
                          const Metric& metric) {
  auto summary = summarise(differences_from(reference, results), metric);
  summary.reference = reference;
  return summary;
}

namespace {

/// The index of `text` in `items`, to which it is added if need be.
std::size_t index_of(std::vector<std::string>& items, const std::string& text) {
  const auto at = std::find(items.begin(), items.end(), text);
  if (at != items.end()) return static_cast<std::size_t>(at - items.begin());
  items.push_back(text);
  return items.size() - 1;
}

CellMean mean_of(const std::vector<Estimate>& cells) {
  CellMean out;
  double sum = 0.0;
  std::size_t with_score = 0;
  for (const auto& cell : cells) {
    out.scored += cell.scored;
    out.planned += cell.planned;
    if (cell.scored == 0) continue;
    sum += cell.mean;
    ++with_score;
  }
  if (with_score > 0) out.mean = sum / static_cast<double>(with_score);
  return out;
}

}  // namespace

std::vector<CrossTable> cross_tables(const RunResults& results, const Metric& metric) {
  std::vector<CrossTable> tables;
  struct Cell {
    std::vector<double> values;
    std::size_t planned = 0;
  };
  std::vector<std::map<std::pair<std::size_t, std::size_t>, Cell>> cells;  // per table: row, column
  for (const auto& row : results.rows) {
    if (row.trained_on.empty() || row.hypothesis == kRealCohort) continue;
    auto table = std::find_if(tables.begin(), tables.end(), [&](const CrossTable& known) {
      return known.axis_values == row.axis_values && known.method == row.method;
    });
    if (table == tables.end()) {
      tables.push_back({row.axis_values, row.method, row.labels, {}, {}, {}, {}, {}, {}});
      cells.emplace_back();
      table = std::prev(tables.end());
    }
    auto& cell = cells[static_cast<std::size_t>(table - tables.begin())][{
        index_of(table->trained_on, row.trained_on), index_of(table->tested_on, row.hypothesis)}];
    ++cell.planned;
    if (row.status == ResultRow::Status::ok) cell.values.push_back(row.*metric.value);
  }
  for (std::size_t t = 0; t < tables.size(); ++t) {
    auto& table = tables[t];
    std::vector<Estimate> all;
    std::vector<std::vector<Estimate>> columns(table.tested_on.size());
    for (std::size_t i = 0; i < table.trained_on.size(); ++i) {
      table.cells.emplace_back();
      for (std::size_t j = 0; j < table.tested_on.size(); ++j) {
        const auto& cell = cells[t][{i, j}];
        table.cells[i].push_back(estimate(cell.values, cell.planned));
        columns[j].push_back(table.cells[i][j]);
        all.push_back(table.cells[i][j]);
      }
      table.row_means.push_back(mean_of(table.cells[i]));
    }
    for (const auto& column : columns) table.column_means.push_back(mean_of(column));
    table.mean = mean_of(all);
  }
  return tables;
}

}  // namespace tempo
