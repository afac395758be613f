#pragma once

// The history of a training, as a model keeps it: the same text back and forth.

#include <string>
#include <vector>

#include "tempo/trainable_method.hpp"

namespace tempo::amortised {

std::string history_to_json(const std::vector<TrainingEpoch>& history);
/// @throws Error if the text is no history
std::vector<TrainingEpoch> history_from_json(const std::string& text);

}  // namespace tempo::amortised
