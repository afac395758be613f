#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace tempo::cli {

// tempo plugins new: a project of one's own for a plugin, ready to be built against an installed
// tempo. The files come from templates that are installed with tempo.

/// `hypothesis`, `measurement-model`, ...
std::vector<std::string> new_plugin_kinds();
/// Adds the options of the action.
void add_new_plugin_options(Options& options);
/// Complains of a kind that there is not, a name that is none for a plugin, and a folder that is
/// there. @pre the action is `new`
void expect_new_plugin(const Options& options, Problems& problems);
/// Writes the project. @return an exit code
int new_plugin(const Options& options);

}  // namespace tempo::cli
