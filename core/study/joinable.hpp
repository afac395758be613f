#pragma once

#include <string>
#include <vector>

#include "results/store.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// A run that is to stand in one table with others.
struct RunToJoin {
  std::string folder;  ///< what messages call it
  Store* store;        ///< never null
};

/// Complains of all that keeps runs from being joined: other sweeps, real cohorts beside simulated
/// ones, and whatever has one name and is not the same: cohorts, hypotheses, methods, fits. Fits
/// with one content key are the same, whoever made them.
void expect_joinable(const std::vector<RunToJoin>& runs, Problems& problems);

}  // namespace tempo
