#pragma once

#include <cstddef>
#include <filesystem>

#include "results/fit_result.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// Adds scores that another program got on the cohorts of a run, for tables beside its own methods.
///
/// A CSV table: columns `hypothesis`, `cohort`, `method`, and at least one of the metrics of
/// results.csv; `status` (ok or failed), `labels` and `error` are optional. Each row is a method's
/// score on one cohort; one that failed stays in the denominator. Rows of cohorts that the run has
/// not planned are counted, not added; that no row belongs to the run is a problem.
/// @param results of a run without a sweep
/// @return how many rows were left out.
std::size_t add_outside_scores(const std::filesystem::path& path, RunResults& results,
                               Problems& problems);

}  // namespace tempo
