#pragma once

#include <optional>

#include "analysis/summary.hpp"
#include "cli/command.hpp"
#include "results/store.hpp"

namespace tempo::cli {

/// `--with FILE`, repeatable.
void add_outside_option(Options& options);

/// Adds the rows of the files of --with to the results of a run, and says what was left out.
/// @param store    of the run: none of its methods may be shown under the name of one from outside
/// @param results  with ids, not with names that are shown in their place
/// @param asked    a metric that may not be among those of results.csv
/// @throws InputError with the faults of all files
void add_outside(const Options& options, Store& store, RunResults& results,
                 const std::optional<Metric>& asked = {});

}  // namespace tempo::cli
