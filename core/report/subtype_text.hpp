#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "report/table.hpp"

namespace tempo {

/// The most probable subtype, from 1 on, and its probability: `2 (0.87)`.
/// @param probabilities  [K], at least one
std::string subtype_in_words(std::span<const double> probabilities);

/// Columns of a participant's subtype: subtype (from 1 on), subtype_probability.
const std::vector<std::string>& subtype_columns();
/// Their cells: the most probable subtype. Empty ones without probabilities.
/// @param probabilities  [K]
std::vector<Cell> cells_of_subtype(std::span<const double> probabilities);
/// Adds `subtype` and the `subtype_probabilities` of all to an object; nothing without any.
void add_subtype(nlohmann::ordered_json& item, std::span<const double> probabilities);

}  // namespace tempo
