#pragma once

#include <string>
#include <vector>

#include "data/estimated_biomarkers.hpp"

namespace tempo {

/// Estimated distributions and how well they are known, as JSON: `healthy`, then `biomarkers` with
/// a list entry each.
/// @param healthy  what the healthy were taken for: `free` or `fixed`
std::string estimates_json(const std::vector<EstimatedBiomarker>& estimated,
                           const std::string& healthy);

}  // namespace tempo
