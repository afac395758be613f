#pragma once

#include <string>
#include <vector>

#include "tempo/export.hpp"

namespace tempo {

// Scores and rounded values: many participants share one.

/// The step of a biomarker that is measured in steps: the least distance between values that two
/// participants or more share, if such values make up more than half of all and there are three
/// participants or more to each different value. 0 if not.
/// @param values  none NaN, in any order
TEMPO_API double step_between(std::vector<double> values);

/// The least standard deviation that such values can tell of a distribution, half a step: a
/// narrower one between two steps holds nobody, and on a step it has a likelihood without bound. 0
/// where values are not in steps.
TEMPO_API double least_sd_of_steps(std::vector<double> values);

/// Whether a distribution can hardly be known from such values: at most five different ones, or one
/// in more than three of ten participants.
TEMPO_API bool are_few(std::vector<double> values);
/// The sentence that says so.
TEMPO_API std::string few_values(const std::string& biomarker);

}  // namespace tempo
