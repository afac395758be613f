#pragma once

#include "settings.hpp"
#include "tempo/trainable_method.hpp"

namespace tempo::amortised {

inline constexpr const char* kPluginVersion = "2.2.1";

/// What TrainableMethod::train promises.
TrainingOutcome train(const TempoSettings& settings, const TrainingTask& task,
                      TrainingMonitor& monitor);

}  // namespace tempo::amortised
