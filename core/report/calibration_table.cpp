#include "report/calibration_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/append.hpp"

namespace tempo {
namespace {

std::vector<std::string> texts_of(const std::optional<CohortsCalibration>& found) {
  if (!found) return {"-", "-"};
  const auto& [all, inside] = *found;
  const auto [least, most] = std::minmax_element(all.tenths.begin(), all.tenths.end());
  const double per_cent = 100.0 / static_cast<double>(all.truths);
  auto share = fmt::format("{:.1f}", 100.0 * inside.mean);
  if (inside.half_width) share += fmt::format(" ± {:.1f}", 100.0 * *inside.half_width);
  return {share, fmt::format("{:.1f} to {:.1f}", per_cent * *least, per_cent * *most)};
}

Block block_of(const std::vector<MethodCalibration>& methods,
               const std::vector<std::string>& axes) {
  Rows rows{axes};
  append(rows[0],
         {"hypothesis", "method", "ranks inside", "in a tenth", "stages inside", "in a tenth"});
  for (const auto& method : methods) {
    auto& row = rows.emplace_back(method.axis_values);
    append(row, {method.hypothesis, method.method});
    append(row, texts_of(method.ranks));
    append(row, texts_of(method.stages));
  }
  return {.heading =
              "calibration: % of truths inside the 90 % interval of their posterior, and in "
              "its emptiest and fullest tenth",
          .rows = std::move(rows),
          .note =
              "90 % inside and 10 % in each tenth are right; fewer inside: the method is surer "
              "than it should be\n± 95 % interval over cohorts; where a label says the stage "
              "of the healthy, they are left out",
          .name_columns = axes.size() + 2};
}

}  // namespace

Table calibration_table(const std::vector<MethodCalibration>& methods,
                        const std::vector<std::string>& axes) {
  Table out;
  if (methods.empty()) return out;
  out.blocks = {block_of(methods, axes)};
  out.axes = axes.size();
  out.columns = axes;
  append(out.columns, {"hypothesis", "method", "posterior", "truths", "inside_90", "half_width_95",
                       "scored", "planned"});
  for (std::size_t i = 1; i <= Calibration().tenths.size(); ++i)
    out.columns.push_back(fmt::format("tenth_{}", i));
  for (const auto& method : methods)
    for (const auto& [kind, found] :
         {std::pair("ranks", &method.ranks), {"stages", &method.stages}}) {
      if (!*found) continue;
      const auto& [all, inside] = **found;
      const auto truths = static_cast<double>(all.truths);
      auto& row = out.rows.emplace_back(method.axis_values.begin(), method.axis_values.end());
      append(row, {method.hypothesis, method.method, kind, all.truths, inside.mean,
                   cell(inside.half_width), inside.scored, inside.planned});
      for (const double tenth : all.tenths) row.emplace_back(tenth / truths);
    }
  return out;
}

}  // namespace tempo
