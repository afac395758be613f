#pragma once

#include <string>
#include <vector>

#include "results/training_history.hpp"

namespace tempo {

/// A trained model whose file lies in the run folder.
struct ModelRecord {
  std::string key;     ///< content key: hash of everything that the weights depend on
  std::string slot;    ///< its place among the models, whatever the content
  std::string name;    ///< of its files
  std::string method;  ///< id of its plugin
  std::string trained_on;
  std::string content;   ///< content key of the model file's bytes
  double seconds = 0.0;  ///< wall time of the training, of its last part if interrupted
  std::vector<std::string> warnings;  ///< one line each
  TrainingHistory history;
  /// Whose code made it, as Libraries name them: for the store, which does not give them back.
  std::vector<std::string> plugins = {};
};

/// The place of a model among those of a run: Training::slot.
std::string model_slot(const std::vector<std::string>& axis_values, const std::string& method,
                       const std::string& trained_on);

}  // namespace tempo
