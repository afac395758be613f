#pragma once

#include <string>
#include <vector>

#include "results/fit_result.hpp"
#include "results/model_record.hpp"
#include "results/run_description.hpp"
#include "results/store.hpp"

namespace tempo::cli {

/// Prints the tables that a run ends with: what a reader needs first. `tempo results` has the rest.
/// @param trained  the models of the plan, called as it calls them
/// @param folder   of the run, as commands name it
void print_tables(const RunResults& results, const std::vector<ModelRecord>& trained,
                  const RunDescription& run, const std::string& folder);

/// Prints of real cohorts which fits do not count in what is said over fits, and which methods
/// disagree though they are one; nothing where there is nothing to say.
void print_cautions(Store& store);

/// Commands that show more of the run, a line each, and what they show.
std::string next_commands(const RunResults& results, const std::string& limit,
                          const std::string& folder);

}  // namespace tempo::cli
