#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/log_scores.hpp"
#include "analysis/summary.hpp"
#include "report/table.hpp"
#include "results/fit_result.hpp"
#include "tempo/metrics.hpp"

namespace tempo {

/// How near what a program found in a cohort comes to the truth.
struct FoundScores {
  std::vector<std::string> axis_values;  ///< of the point of a sweep that the cohort is of
  std::string hypothesis;
  std::size_t cohort = 0;
  std::string method;
  std::string labels;  ///< none, fit, infer or `not stated`
  FitScores scores;
  /// Of a posterior; absent where the program gives none.
  struct OfPosterior {
    std::optional<LogScore> log_score;
    std::optional<Calibration> calibration;
  };
  OfPosterior ranks, stages;
};

/// For programs: a row per cohort, as `tempo results --with` reads it. For people: means over the
/// cohorts of each point of the sweep, hypothesis and method.
/// @param axes     of the sweep
/// @param further  the metric of the scores in FitScores::further; absent: there are none
Table found_scores_table(const std::vector<FoundScores>& rows,
                         const std::vector<std::string>& axes = {},
                         const std::optional<Metric>& further = {});

}  // namespace tempo
