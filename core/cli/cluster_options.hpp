#pragma once

#include <vector>

#include "cli/command.hpp"
#include "study/overrides.hpp"

namespace tempo::cli {

/// Adds the options that say what [cluster] says, each of which goes before it.
void add_cluster_options(Options& options);
/// Those that were given, as settings of the experiment.
std::vector<Override> cluster_overrides(const Options& options);

}  // namespace tempo::cli
