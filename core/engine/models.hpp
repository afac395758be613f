#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/plan.hpp"
#include "engine/training.hpp"

namespace tempo {

/// What is there of a planned model.
enum class ModelState {
  trained,  ///< its file is the one that was stored
  absent,   ///< it was never trained
  begun,    ///< an interrupted training has left checkpoints
  deleted,  ///< it was trained, and its file is gone
  changed,  ///< it was trained, and its file holds other bytes
};

/// The models of a run: in the folder `models` of the run folder, kept under content keys.
///
///   models/PLUGIN.HYPOTHESIS.KEY.safetensors   the model
///   models/PLUGIN.HYPOTHESIS.KEY.history.csv   a line per epoch
///   models/checkpoints/PLUGIN.HYPOTHESIS.KEY/  until the training has ended well
class Models {
 public:
  /// Looks what is there.
  /// @param store null: nothing was run before.
  Models(const Study& study, const Plan& plan, std::filesystem::path run_folder, Store* store);

  /// Of each training of the plan.
  const std::vector<ModelState>& states() const { return states_; }

  /// Trains one and notes it in the store. Not thread-safe.
  /// @return its record, or nothing if the monitor stopped it
  /// @throws Error, PluginError; from then on `get` throws the same
  std::optional<ModelRecord> train(std::size_t training, std::size_t threads, Store& store,
                                   TrainingMonitor& monitor);

  /// The method with the weights of a training; read when first asked for. Thread-safe.
  /// @throws PluginError if it failed or its file cannot be read
  const InferenceMethod& get(std::size_t training);

  TrainingFiles files(const Training& training) const;
  /// Where a run folder keeps its models.
  static std::filesystem::path folder_in(const std::filesystem::path& run_folder);

 private:
  struct Loaded {
    std::once_flag once;
    std::unique_ptr<InferenceMethod> method;
    std::string error;
  };

  const TrainableMethod& method_of(const Training& training) const;

  const Study& study_;
  const Plan& plan_;
  std::filesystem::path folder_;
  std::vector<ModelState> states_;
  std::deque<Loaded> loaded_;
};

}  // namespace tempo
