#include "report/sweep_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "report/append.hpp"
#include "report/score_text.hpp"
#include "report/text_layout.hpp"

namespace tempo {
namespace {

/// The values of the swept key in plan order: a value that the curves before lack stands behind the
/// one that it follows in its own.
std::vector<std::string> values_along(const std::vector<LearningCurve>& curves) {
  std::vector<std::string> out;
  for (const auto& curve : curves) {
    auto next = out.begin();
    for (const auto& point : curve.line.points) {
      const auto& value = point[curve.line.axis];
      auto at = std::find(out.begin(), out.end(), value);
      if (at == out.end()) at = out.insert(next, value);
      next = at + 1;
    }
  }
  return out;
}

/// What stands in front of a row of a pivot table.
struct PivotRow {
  std::vector<std::string> fixed;  ///< values of the keys that stay
  std::string hypothesis;
  std::size_t method = 0;  ///< of its curve's summary
  std::string name = {};   ///< of the method, for people
  std::string id = {};
  std::string labels = {};
  /// Of each value along; null where there is no such point.
  std::vector<const Summary::Row*> cells = {};
  std::vector<std::string> before = {};  ///< the value before it on its curve; empty: none
};

/// Which of the values along a point of a curve has.
std::size_t place_of(const LearningCurve& curve, std::size_t point,
                     const std::vector<std::string>& values) {
  const auto at =
      std::find(values.begin(), values.end(), curve.line.points[point][curve.line.axis]);
  return static_cast<std::size_t>(at - values.begin());
}

/// The rows of one summary per curve: by the keys that stay, hypothesis and method.
std::vector<PivotRow> pivot_rows(const std::vector<LearningCurve>& curves,
                                 Summary LearningCurve::*which) {
  const auto values = values_along(curves);
  std::vector<PivotRow> out;
  for (const auto& curve : curves) {
    const auto& summary = curve.*which;
    std::vector<std::string> hypotheses;
    for (const auto& row : summary.rows)
      if (std::find(hypotheses.begin(), hypotheses.end(), row.hypothesis) == hypotheses.end())
        hypotheses.push_back(row.hypothesis);
    std::vector<std::string> fixed;
    for (const auto axis : curve.line.fixed) fixed.push_back(curve.line.points.front()[axis]);
    std::vector<std::string> before(values.size());
    for (std::size_t i = 1; i < curve.line.points.size(); ++i)
      before[place_of(curve, i, values)] = curve.line.points[i - 1][curve.line.axis];
    for (const auto& hypothesis : hypotheses)
      for (const auto method : shown_methods(summary)) {
        PivotRow found{fixed,
                       hypothesis,
                       method,
                       name_of(summary, method),
                       summary.methods[method],
                       summary.labels[method]};
        found.cells.resize(values.size());
        found.before = before;
        bool is_planned = false;
        for (const auto& row : summary.rows) {
          if (row.hypothesis != hypothesis) continue;
          const auto at = std::find(values.begin(), values.end(), row.axis_values[curve.line.axis]);
          found.cells[static_cast<std::size_t>(at - values.begin())] = &row;
          is_planned |= row.estimates[method].planned > 0;
        }
        if (is_planned) out.push_back(std::move(found));
      }
  }
  return out;
}

/// Counts of the rows of one hypothesis each, and of those over all.
std::pair<Counts, Counts> counts_of(const std::vector<LearningCurve>& curves,
                                    Summary LearningCurve::*which) {
  std::pair<Counts, Counts> out;
  for (const auto& curve : curves)
    for (const auto& row : (curve.*which).rows)
      for (const auto& cell : row.estimates)
        (row.hypothesis.empty() ? out.second : out.first).add(cell.scored, cell.planned);
  return out;
}

/// The widest style that the summaries of all curves need.
Style style_of(const std::vector<LearningCurve>& curves, Summary LearningCurve::*which,
               int decimals) {
  Style out;
  for (const auto& curve : curves) {
    const auto own = tempo::style_of(curve.*which, decimals);
    if (own.width >= out.width) out = own;
  }
  return out;
}

/// Methods and hypotheses down, values along the key across.
Rows pivot_texts(const std::vector<LearningCurve>& curves, Summary LearningCurve::*which,
                 int decimals) {
  const auto& axes = (curves.front().*which).axes;
  const auto rows = pivot_rows(curves, which);
  const auto [counts, counts_over_all] = counts_of(curves, which);
  const auto style = style_of(curves, which, decimals);
  const bool has_several = std::any_of(rows.begin(), rows.end(), [&](const PivotRow& row) {
    return row.hypothesis != rows.front().hypothesis;
  });
  Rows out(1);
  for (const auto axis : curves.front().line.fixed) out[0].push_back(short_axis(axes[axis]));
  if (has_several) out[0].emplace_back("hypothesis");
  append(out[0], {"method", "labels"});
  const auto values = values_along(curves);
  // The first value has nothing before it.
  const std::size_t first = which == &LearningCurve::changes ? 1 : 0;
  for (std::size_t i = first; i < values.size(); ++i)
    out[0].push_back(first == 0 ? values[i] : fmt::format("{} to {}", values[i - 1], values[i]));
  for (const auto& row : rows) {
    auto& texts = out.emplace_back(row.fixed);
    if (has_several) texts.push_back(row.hypothesis.empty() ? "all" : row.hypothesis);
    append(texts, {row.name, row.labels});
    for (std::size_t i = first; i < values.size(); ++i) {
      texts.push_back(row.cells[i] == nullptr
                          ? "-"
                          : text_of(*row.cells[i], row.method,
                                    row.hypothesis.empty() ? counts_over_all : counts, style));
      // A curve may lack the point that the head names.
      if (first == 1 && row.cells[i] != nullptr && row.before[i] != values[i - 1])
        texts.back() += fmt::format(" (from {})", row.before[i]);
    }
  }
  return out;
}

std::size_t name_columns(const Rows& rows, const std::vector<std::string>& values, bool is_change) {
  return rows.front().size() - values.size() + (is_change ? 1 : 0);
}

Block pivot_block(const std::vector<LearningCurve>& curves, Summary LearningCurve::*which,
                  const Metric& metric, const std::string& heading) {
  const bool is_change = which == &LearningCurve::changes;
  const auto digits = decimals_of(metric);
  const auto values = values_along(curves);
  const auto counts = counts_of(curves, which).first;
  Block out;
  out.rows = pivot_texts(curves, which, digits);
  out.name_columns = name_columns(out.rows, values, is_change);
  out.narrower = {{pivot_texts(curves, which, digits - 1), out.name_columns}};
  const bool any_interval =
      std::any_of(curves.begin(), curves.end(),
                  [&](const LearningCurve& curve) { return has_intervals(curve.*which); });
  out.heading =
      in_one_or_two_lines(heading, (any_interval ? "mean ± 95 % interval " : "mean ") +
                                       counts.in_words(is_change ? "pairs of cohorts" : "cohorts"));
  if (!is_change && std::any_of(curves.begin(), curves.end(),
                                [](const LearningCurve& curve) { return has_best(curve.scores); }))
    out.note = best_note(curves.front().scores);
  return out;
}

Block score_block(const std::vector<LearningCurve>& curves, const Metric& metric) {
  const auto& axes = curves.front().scores.axes;
  return pivot_block(
      curves, &LearningCurve::scores, metric,
      fmt::format("{} along {}", metric.title, short_axis(axes[curves.front().line.axis])));
}

/// The estimates of a curve's changes, by point, hypothesis and method.
using Changes = std::map<std::pair<std::vector<std::string>, std::string>,
                         std::map<std::string, const Estimate*>>;
Changes changes_of(const LearningCurve& curve) {
  Changes out;
  const auto& [line, scores, changes] = curve;
  for (const auto& row : changes.rows)
    for (std::size_t m = 0; m < changes.methods.size(); ++m)
      out[{row.axis_values, row.hypothesis}][changes.methods[m]] = &row.estimates[m];
  return out;
}

/// Rows of a curve for programs.
void add_rows(const LearningCurve& curve, Table& out) {
  const auto& [line, scores, changes] = curve;
  const auto known = changes_of(curve);
  const auto before = [&](const std::vector<std::string>& point) {
    const auto at = std::find(line.points.begin(), line.points.end(), point);
    return at == line.points.begin() ? Cell() : Cell((*(at - 1))[line.axis]);
  };
  for (const auto& row : scores.rows)
    for (std::size_t m = 0; m < scores.methods.size(); ++m) {
      const auto& score = row.estimates[m];
      if (score.planned == 0) continue;
      auto& cells = out.rows.emplace_back(row.axis_values.begin(), row.axis_values.end());
      append(cells, {scores.axes[line.axis], row.hypothesis, scores.methods[m], scores.labels[m],
                     cell(mean_of(score)), cell(score.half_width), score.scored, score.planned});
      const auto at = known.find({row.axis_values, row.hypothesis});
      const auto change = at == known.end() || !at->second.contains(scores.methods[m])
                              ? Estimate()
                              : *at->second.at(scores.methods[m]);
      append(cells, {before(row.axis_values), cell(mean_of(change)), cell(change.half_width),
                     change.scored});
    }
}

}  // namespace

Table pivot_table(const std::vector<LearningCurve>& curves, const Metric& metric) {
  const auto& axes = curves.front().scores.axes;
  const auto axis = curves.front().line.axis;
  const auto& fixed = curves.front().line.fixed;
  const auto values = values_along(curves);
  Table out;
  out.blocks = {score_block(curves, metric)};
  out.about = {{"metric", metric.name}, {"along", axes[axis]}};
  out.axes = fixed.size();
  for (const auto other : fixed) out.columns.push_back(axes[other]);
  append(out.columns, {"hypothesis", "method", "labels"});
  for (const auto* what : {"mean", "half_width_95"})
    for (const auto& value : values)
      out.columns.push_back(fmt::format("{} at {}={}", what, axes[axis], value));
  for (const auto& row : pivot_rows(curves, &LearningCurve::scores)) {
    auto& cells = out.rows.emplace_back(row.fixed.begin(), row.fixed.end());
    append(cells, {row.hypothesis, row.id, row.labels});
    for (const auto* at : row.cells)
      cells.push_back(at == nullptr ? Cell() : cell(mean_of(at->estimates[row.method])));
    for (const auto* at : row.cells)
      cells.push_back(at == nullptr ? Cell() : cell(at->estimates[row.method].half_width));
  }
  return out;
}

Table curve_table(const std::vector<LearningCurve>& curves, const Metric& metric, Shared shared) {
  const auto& axes = curves.front().scores.axes;
  auto changes =
      pivot_block(curves, &LearningCurve::changes, metric,
                  fmt::format("change from one value of {} to the next, on cohorts of one number",
                              short_axis(axes[curves.front().line.axis])));
  changes.note = in_words(shared);
  Table out;
  out.blocks = {score_block(curves, metric), std::move(changes)};
  out.about = {{"metric", metric.name}, {"along", axes[curves.front().line.axis]}};
  out.axes = axes.size();
  out.columns = axes;
  append(out.columns, {"along", "hypothesis", "method", "labels", "mean", "half_width_95", "scored",
                       "planned", "from", "change", "change_half_width_95", "pairs"});
  for (const auto& curve : curves) add_rows(curve, out);
  return out;
}

const char* in_words(Shared shared) {
  switch (shared) {
    case Shared::cohorts:
      return "Points have the same cohorts: intervals of changes are paired (Student's t of "
             "differences within cohorts).";
    case Shared::orders:
      return "Cohorts of one number have the same true order at all points, and other "
             "participants: intervals of changes are paired (Student's t of differences by number).";
    case Shared::nothing:
      return "True orders differ from point to point: intervals of changes are paired (Student's t "
             "of differences by number), and gain nothing by it.";
    case Shared::unknown:
      break;
  }
  return "Intervals of changes are paired (Student's t of differences by number); whether points "
         "share true orders is not stored.";
}

}  // namespace tempo
