#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/summary.hpp"
#include "results/store.hpp"

namespace tempo {

/// Points of a sweep along one swept key, and along those that go side by side with it, while all
/// other keys stay.
struct SweepLine {
  std::size_t axis = 0;                 ///< the key; of those that go side by side the first
  std::vector<std::size_t> fixed = {};  ///< the keys that stay
  std::vector<std::vector<std::string>> points = {};  ///< two or more, in plan order
};
/// Whether a swept key changes along a line.
bool varies(const SweepLine& line, std::size_t key);
/// All lines of a sweep, key by key; none without a sweep.
std::vector<SweepLine> sweep_lines(const RunResults& results);

/// What the cohorts of one number have in common along a line.
enum class Shared {
  cohorts,  ///< they are the same ones: the key is a setting of a method
  orders,   ///< their true orders
  nothing,
  unknown,  ///< their truths are not kept, or no number is at two points
};
/// Of what the store knows of the cohorts of these lines; of several sorts the least.
Shared shared_along(const std::vector<SweepLine>& lines, Store& store);

/// How scores change along a line. Rows are those of a hypothesis at each point, then, of several
/// hypotheses, those over all.
struct LearningCurve {
  SweepLine line;
  Summary scores;
  /// At each point but the first: the score minus that at the point before, cohort by cohort. The
  /// interval is that of a paired t test: what cohorts of one number share does not widen it. None
  /// is the best.
  Summary changes;
};
/// @param limit  as summarise has it
LearningCurve learning_curve(const SweepLine& line, const RunResults& results, const Metric& metric,
                             const std::string& limit = {});

}  // namespace tempo
