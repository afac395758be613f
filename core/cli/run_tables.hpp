#pragma once

#include <string>
#include <vector>

#include "results/fit_result.hpp"
#include "results/model_record.hpp"

namespace tempo::cli {

/// Prints the tables that a run ends with.
/// @param trained  the models of the plan, called as it calls them
/// @param limit    limit_of the study
void print_tables(const RunResults& results, const std::vector<ModelRecord>& trained,
                  const std::string& limit);

}  // namespace tempo::cli
