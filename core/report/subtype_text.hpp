#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/spread.hpp"
#include "report/table.hpp"
#include "tempo/inference_method.hpp"

namespace tempo {

/// The most probable subtype, from 1 on, and its probability: `2 (0.87)`.
/// @param probabilities  [K], at least one
std::string subtype_in_words(std::span<const double> probabilities);

/// The rank of a biomarker's event in one of several progressions, over the posterior; absent
/// without one.
std::optional<Within> rank_in_subtype(const SubtypeInference& found, std::size_t subtype,
                                      std::size_t biomarker);

/// Columns of a participant's subtype: subtype (from 1 on), subtype_probability.
const std::vector<std::string>& subtype_columns();
/// Their cells: the most probable subtype. Empty ones without probabilities.
/// @param probabilities  [K]
std::vector<Cell> cells_of_subtype(std::span<const double> probabilities);
/// Adds `subtype` and the `subtype_probabilities` of all to an object; nothing without any.
void add_subtype(nlohmann::ordered_json& item, std::span<const double> probabilities);

}  // namespace tempo
