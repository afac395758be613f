#pragma once

#include "analysis/baseline.hpp"
#include "report/table.hpp"

namespace tempo {

/// Who the participants are: a column per diagnosis and one for all; of numbers mean (sd) and
/// median [quartiles], of levels counts and per cent, and how many are missing.
///
/// For programs a row per column, level and diagnosis. Columns: column, level, diagnosis,
/// participants, missing, mean, sd, median, lower_quartile, upper_quartile, count, share.
Table as_table(const BaselineTable& baseline);

}  // namespace tempo
