#pragma once

#include <vector>

#include "analysis/learning_curve.hpp"
#include "report/table.hpp"

namespace tempo {

/// Scores along a swept key: its values are columns, rows are the values of the other keys,
/// hypotheses and methods. In CSV and JSON, too; `curve_table` has them one by one.
/// @param curves  of one key and one metric, one at least
Table pivot_table(const std::vector<LearningCurve>& curves, const Metric& metric);

/// The same for people, and below it what each step from value to value changes. Programs get a row
/// per value.
/// @param shared  what cohorts of one number have in common along all of them
Table curve_table(const std::vector<LearningCurve>& curves, const Metric& metric, Shared shared);

/// `each point has the same true orders: ...`: what the intervals of changes rest on.
const char* in_words(Shared shared);

}  // namespace tempo
