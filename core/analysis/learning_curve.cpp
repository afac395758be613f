#include "analysis/learning_curve.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tempo {
namespace {

using Point = std::vector<std::string>;

std::vector<Point> points_of(const RunResults& results) {
  std::vector<Point> out;
  std::set<Point> known;
  for (const auto& row : results.rows)
    if (known.insert(row.id.axis_values).second) out.push_back(row.id.axis_values);
  return out;
}

/// Whether each value of one key comes with one value of the other, as in `zip`.
bool go_together(const std::vector<Point>& points, std::size_t a, std::size_t b) {
  std::map<std::string, std::string> a_to_b, b_to_a;
  return std::all_of(points.begin(), points.end(), [&](const Point& values) {
    return a_to_b.emplace(values[a], values[b]).first->second == values[b] &&
           b_to_a.emplace(values[b], values[a]).first->second == values[a];
  });
}

/// The lines of a key, by the values of those that stay.
void add_lines(std::size_t axis, const std::vector<std::size_t>& fixed,
               const std::vector<Point>& points, std::vector<SweepLine>& out) {
  std::map<Point, std::size_t> at;
  const auto begin = out.size();
  for (const auto& values : points) {
    Point staying;
    for (const auto other : fixed) staying.push_back(values[other]);
    const auto [found, is_new] = at.emplace(std::move(staying), out.size());
    if (is_new) out.push_back({axis, fixed});
    out[found->second].points.push_back(values);
  }
  out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(),
                           [](const SweepLine& line) { return line.points.size() < 2; }),
            out.end());
}

/// The rows at some points.
RunResults rows_at(const std::vector<Point>& points, const RunResults& results) {
  const std::set<Point> wanted(points.begin(), points.end());
  RunResults out{results.name, results.axes, {}, results.outside};
  for (const auto& row : results.rows)
    if (wanted.contains(row.id.axis_values)) out.rows.push_back(row);
  return out;
}

/// Each row of a line minus that of the same fit at the point before.
RunResults changes_along(const SweepLine& line, const RunResults& results) {
  std::map<Point, const Point*> before;
  for (std::size_t i = 1; i < line.points.size(); ++i) before[line.points[i]] = &line.points[i - 1];
  std::map<FitId, const FitResult*> known;
  for (const auto& [id, result] : results.rows) known[id] = &result;
  RunResults out{results.name, results.axes, {}, results.outside};
  for (const auto& row : results.rows) {
    const auto from = before.find(row.id.axis_values);
    if (from == before.end()) continue;
    auto id = row.id;
    id.axis_values = *from->second;
    if (const auto other = known.find(id); other != known.end())
      out.rows.push_back(difference(row, *other->second));
  }
  return out;
}

/// Rows of each hypothesis; of several also of all together.
Summary by_hypothesis_and_over_all(const RunResults& results, const Metric& metric,
                                   const std::string& limit) {
  auto out = summarise(results, metric, limit);
  const bool has_several = std::any_of(out.rows.begin(), out.rows.end(), [&](const auto& row) {
    return row.hypothesis != out.rows.front().hypothesis;
  });
  if (!has_several) return out;
  for (auto& row : summarise_over_hypotheses(results, metric, limit).rows)
    out.rows.push_back(std::move(row));
  return out;
}

/// What a store knows of cohorts and their true orders.
class KnownOrders {
 public:
  /// By hypothesis and number.
  using Cohorts = std::map<std::pair<std::string, std::size_t>, std::string>;

  explicit KnownOrders(Store& store) : store_(store) {
    for (auto& cohort : store.planned_cohorts())
      keys_[cohort.axis_values][{cohort.hypothesis, cohort.number}] = std::move(cohort.key);
  }

  /// The keys of the cohorts at a point.
  const Cohorts& at(const Point& point) const {
    static const Cohorts none;
    const auto found = keys_.find(point);
    return found == keys_.end() ? none : found->second;
  }
  /// What two cohorts have in common.
  Shared of(const std::string& a, const std::string& b) {
    if (a == b) return Shared::cohorts;
    const auto &here = ranks(a), &there = ranks(b);
    if (here.empty() || there.empty()) return Shared::unknown;
    return here == there ? Shared::orders : Shared::nothing;
  }

 private:
  /// By the names of events; none if the truth is not kept.
  using Ranks = std::map<std::string, std::size_t>;

  const Ranks& ranks(const std::string& key) {
    const auto [known, is_new] = ranks_.try_emplace(key);
    const auto truth = is_new ? store_.truth(key) : std::nullopt;
    if (truth)
      for (std::size_t i = 0; i < truth->cohort.biomarkers.size(); ++i)
        known->second[truth->cohort.biomarkers[i]] = truth->truth.event_ranks[i];
    return known->second;
  }

  Store& store_;
  std::map<Point, Cohorts> keys_;
  std::map<std::string, Ranks> ranks_;
};

}  // namespace

bool varies(const SweepLine& line, std::size_t key) {
  return std::find(line.fixed.begin(), line.fixed.end(), key) == line.fixed.end();
}

std::vector<SweepLine> sweep_lines(const RunResults& results) {
  const auto points = points_of(results);
  std::vector<SweepLine> out;
  const auto count = results.axes.size();
  for (std::size_t axis = 0; axis < count; ++axis) {
    bool is_named_by_another = false;
    std::vector<std::size_t> fixed;
    for (std::size_t other = 0; other < count; ++other) {
      if (other == axis) continue;
      if (!go_together(points, axis, other))
        fixed.push_back(other);
      else if (other < axis)
        is_named_by_another = true;
    }
    if (!is_named_by_another) add_lines(axis, fixed, points, out);
  }
  return out;
}

Shared shared_along(const std::vector<SweepLine>& lines, Store& store) {
  KnownOrders orders(store);
  std::optional<Shared> out;  // of the pairs so far
  for (const auto& line : lines)
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      const auto& earlier = orders.at(line.points[i - 1]);
      for (const auto& [cohort, key] : orders.at(line.points[i])) {
        const auto before = earlier.find(cohort);
        if (before == earlier.end()) continue;
        const auto shared = orders.of(before->second, key);
        if (shared == Shared::unknown || shared == Shared::nothing) return shared;
        if (!out || shared == Shared::orders) out = shared;
      }
    }
  return out.value_or(Shared::unknown);
}

LearningCurve learning_curve(const SweepLine& line, const RunResults& results, const Metric& metric,
                             const std::string& limit) {
  const auto on_line = rows_at(line.points, results);
  LearningCurve out{line, by_hypothesis_and_over_all(on_line, metric, limit),
                    by_hypothesis_and_over_all(changes_along(line, on_line), metric, limit)};
  out.changes.reference = "the point before";
  for (auto& row : out.changes.rows) row.is_best.assign(row.is_best.size(), false);
  return out;
}

}  // namespace tempo
