#pragma once

#include <vector>

#include "results/fit_result.hpp"
#include "results/run_description.hpp"

namespace tempo {

// What becomes of two runs that are joined: everything of the first stays, and what only the second
// has comes after it.

/// The plan of both, in the order of a plan: point of the sweep, hypothesis, cohort, method, model.
/// What has one slot stands once.
std::vector<PlannedFit> united(std::vector<PlannedFit> first, std::vector<PlannedFit> second);

/// Hypotheses, methods, plugins, misfits and joined experiments of both.
RunDescription united(RunDescription first, const RunDescription& second);

}  // namespace tempo
