#pragma once

#include <vector>

#include "anchors.hpp"
#include "tempo/toolkit/biomarker_values.hpp"

namespace tempo::bayes {

/// Values that participants share and on which an atom of a biomarker's distribution may lie: of
/// the distribution before the event, if no healthy value is beyond; of the one after it, if no
/// healthy participant has it. Values are looked for among the four that most participants share.
/// None where values are shared anyway: more than a quarter of all, or more than a tenth of those
/// that are not one of the four, as rounded values and scales with few levels are.
/// @param atoms  of the distribution, in sds from its mean
std::vector<Anchor> possible_anchors(const toolkit::BiomarkerValues& values,
                                     const std::vector<double>& atoms, bool is_post);

}  // namespace tempo::bayes
