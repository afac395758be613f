#pragma once

#include <string>
#include <vector>

#include "report/table.hpp"
#include "results/store.hpp"

namespace tempo {

/// What methods say in numbers of how they worked: for programs every number of every fit; for
/// people a row per hypothesis, method and name, with the mean and the ends over the fits. Without
/// blocks if there are none.
/// @param axes  as in RunResults
Table diagnostics_table(Store& store, const std::vector<std::string>& axes);

}  // namespace tempo
