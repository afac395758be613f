#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/stage_posterior.hpp"
#include "report/table.hpp"

namespace tempo {

/// Columns of a posterior of stages: mode, second_mode, mean, median, low, high.
const std::vector<std::string>& stage_posterior_columns();
/// Their cells; empty ones where there is no posterior.
std::vector<Cell> cells_of(const std::optional<StagePosterior>& posterior);
/// Adds the same to an object; only what there is.
void add_to(nlohmann::ordered_json& item, const std::optional<StagePosterior>& posterior);

}  // namespace tempo
