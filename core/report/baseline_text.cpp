#include "report/baseline_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "report/append.hpp"

namespace tempo {
namespace {

/// Adds a line with a text per group.
void add_line(const std::string& name, const BaselineColumn& column,
              const std::function<std::string(const BaselineCell&)>& text, Rows& rows) {
  auto& row = rows.emplace_back(std::vector<std::string>{name});
  for (const auto& of_group : column.groups) row.push_back(text(of_group));
}

std::string mean_text(const BaselineCell& found) {
  if (!found.numbers) return "-";
  const auto& [mean, sd, lower, median, upper] = *found.numbers;
  return sd ? fmt::format("{:.4g} ({:.3g})", mean, *sd) : fmt::format("{:.4g}", mean);
}

std::string median_text(const BaselineCell& found) {
  if (!found.numbers) return "-";
  return fmt::format("{:.4g} [{:.4g}, {:.4g}]", found.numbers->median,
                     found.numbers->lower_quartile, found.numbers->upper_quartile);
}

void add_lines_of(const BaselineColumn& column, Rows& rows) {
  if (column.levels.empty()) {
    add_line(column.name + ", mean (sd)", column, mean_text, rows);
    add_line(column.name + ", median [quartiles]", column, median_text, rows);
  }
  for (std::size_t l = 0; l < column.levels.size(); ++l)
    add_line(
        fmt::format("{} = {}, n (%)", column.name, column.levels[l]), column,
        [&](const BaselineCell& found) {
          const auto& [count, share] = found.levels[l];
          return fmt::format("{} ({:.1f} %)", count, 100.0 * share);
        },
        rows);
  if (std::any_of(column.groups.begin(), column.groups.end(),
                  [](const BaselineCell& found) { return found.missing > 0; }))
    add_line(
        column.name + ", missing", column,
        [](const BaselineCell& found) { return std::to_string(found.missing); }, rows);
}

void add_cells_of(const BaselineColumn& column, const std::vector<BaselineTable::Group>& groups,
                  std::vector<std::vector<Cell>>& rows) {
  for (std::size_t l = 0; l < std::max<std::size_t>(1, column.levels.size()); ++l)
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto& found = column.groups[g];
      const bool is_level = !column.levels.empty();
      auto& row = rows.emplace_back(
          std::vector<Cell>{column.name, is_level ? Cell(column.levels[l]) : Cell(), groups[g].name,
                            groups[g].participants, found.missing});
      if (const auto& numbers = found.numbers)
        append(row, {numbers->mean, cell(numbers->sd), numbers->median, numbers->lower_quartile,
                     numbers->upper_quartile});
      else
        append(row, {Cell(), Cell(), Cell(), Cell(), Cell()});
      if (is_level)
        append(row, {found.levels[l].count, found.levels[l].share});
      else
        append(row, {Cell(), Cell()});
    }
}

}  // namespace

Table as_table(const BaselineTable& baseline) {
  Table out;
  out.about = {{"table", "baseline"}};
  out.columns = {"column", "level",  "diagnosis",      "participants",   "missing", "mean",
                 "sd",     "median", "lower_quartile", "upper_quartile", "count",   "share"};
  Rows rows{{"participants"}};
  for (const auto& [name, participants] : baseline.groups)
    rows[0].push_back(fmt::format("{} (n = {})", name, participants));
  for (const auto& column : baseline.columns) {
    add_lines_of(column, rows);
    add_cells_of(column, baseline.groups, out.rows);
  }
  out.blocks.push_back(
      {.heading = "who the participants are", .rows = std::move(rows), .name_columns = 1});
  return out;
}

}  // namespace tempo
