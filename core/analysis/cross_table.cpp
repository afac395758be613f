#include "analysis/cross_table.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace tempo {
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

struct CellScores {
  std::vector<double> values;
  std::size_t planned = 0;
};
using ScoresByCell =
    std::map<std::pair<std::size_t, std::size_t>, CellScores>;  // by row and column

/// Fills the cells and means of a table that has its rows and columns.
void fill(ScoresByCell& scores, CrossTable& table) {
  std::vector<Estimate> all;
  std::vector<std::vector<Estimate>> columns(table.tested_on.size());
  for (std::size_t i = 0; i < table.trained_on.size(); ++i) {
    auto& cells = table.cells.emplace_back();
    for (std::size_t j = 0; j < table.tested_on.size(); ++j) {
      const auto& [values, planned] = scores[{i, j}];
      cells.push_back(estimate(values, planned));
      columns[j].push_back(cells[j]);
      all.push_back(cells[j]);
    }
    table.row_means.push_back(mean_of(cells));
  }
  for (const auto& column : columns) table.column_means.push_back(mean_of(column));
  table.mean = mean_of(all);
}

}  // namespace

std::vector<CrossTable> cross_tables(const RunResults& results, const Metric& metric) {
  std::vector<CrossTable> tables;
  std::vector<ScoresByCell> scores;  // per table
  for (const auto& [id, result] : results.rows) {
    if (!id.is_trained() || id.is_real()) continue;
    auto table = std::find_if(tables.begin(), tables.end(), [&, &of = id](const CrossTable& known) {
      return known.axis_values == of.axis_values && known.method == of.method;
    });
    if (table == tables.end()) {
      tables.push_back({id.axis_values, id.method, id.labels, {}, {}, {}, {}, {}, {}});
      scores.emplace_back();
      table = std::prev(tables.end());
    }
    const auto row = index_of(table->trained_on, id.trained_on);
    const auto column = index_of(table->tested_on, id.hypothesis);
    auto& cell = scores[static_cast<std::size_t>(table - tables.begin())][{row, column}];
    ++cell.planned;
    if (result.status == FitStatus::ok) cell.values.push_back(metric.in(result));
  }
  for (std::size_t t = 0; t < tables.size(); ++t) fill(scores[t], tables[t]);
  return tables;
}

}  // namespace tempo
