#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "conformance/subject.hpp"

namespace tempo::conformance {

/// How a training of a check goes.
struct Training {
  std::filesystem::path folder;        ///< of the model and the checkpoints
  std::optional<int> stop_after = {};  ///< asks to stop at this call of the monitor
};

/// What a training left.
struct Trained {
  TrainingOutcome outcome;
  std::filesystem::path model;
  double seconds_to_stop = 0.0;  ///< from the wish to stop until the return
};

/// Trains on cohorts of the plain example's biomarkers, or goes on with what the folder holds.
/// @throws PluginError
Trained train(const TrainableMethod& method, const Training& training);

/// The method with the model that checks of one plugin share: trained when first asked for.
/// @throws PluginError if training fails or does not finish
std::unique_ptr<InferenceMethod> trained(const Subject& subject);

}  // namespace tempo::conformance
