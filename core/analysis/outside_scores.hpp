#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/summary.hpp"
#include "results/fit_result.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// What of a file of scores was left out.
struct OutsideScores {
  std::size_t rows = 0;              ///< of cohorts that are not in the run
  std::vector<std::string> columns;  ///< that are neither scores nor say whose they are
};

/// Adds scores that another program got on the cohorts of a run, for tables beside its own methods.
///
/// A CSV table: of a sweep a column for each axis, as results.csv has them; columns `hypothesis`,
/// `cohort`, `method`, and at least one of the metrics of results.csv; `status` (ok or failed),
/// `labels` and `error` are optional. Other columns are left out, unless they are called nearly as
/// one of these. Each row is a method's score on one cohort; one that failed stays in the
/// denominator. Rows of cohorts that the run has not planned are counted, not added; that no row
/// belongs to the run is a problem, and so is a score that cannot be. The methods are noted in
/// RunResults::outside.
/// @param asked  a metric that may not be among those of results.csv
OutsideScores add_outside_scores(const std::filesystem::path& path, RunResults& results,
                                 Problems& problems, const std::optional<Metric>& asked = {});

}  // namespace tempo
