#pragma once

#include <string>

#include "cli/options.hpp"

namespace tempo::cli {

// tempo plugins check: whether a plugin does what tempo and its users expect of it.

/// Adds the options of the action.
void add_check_options(Options& options);
/// Complains of options that do not go together. @pre the action is `check`
void expect_check_options(const Options& options, Problems& problems);
/// Checks the plugin that the command line names, or lists the checks if it names none.
/// @return an exit code
int check_plugin(const Options& options);

}  // namespace tempo::cli
