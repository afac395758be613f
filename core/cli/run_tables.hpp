#pragma once

#include <string>
#include <vector>

#include "results/fit_result.hpp"
#include "results/model_record.hpp"

namespace tempo::cli {

/// Prints the tables that a run ends with: what a reader needs first. `tempo results` has the rest.
/// @param trained  the models of the plan, called as it calls them
/// @param limit    limit_of the study
/// @param folder   of the run, as commands name it
/// @param warned   whether a warning has been shown already
void print_tables(const RunResults& results, const std::vector<ModelRecord>& trained,
                  const std::string& limit, const std::string& folder, bool warned);

/// Commands that show more of the run, a line each, and what they show.
std::string next_commands(const RunResults& results, const std::string& limit,
                          const std::string& folder);

}  // namespace tempo::cli
