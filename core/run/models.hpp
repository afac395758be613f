#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "run/training.hpp"
#include "study/plan.hpp"

namespace tempo {

/// What the run folder has of a planned model.
enum class ModelState {
  trained,  ///< its file is the one that was stored
  absent,   ///< it was never trained
  begun,    ///< an interrupted training has left checkpoints
  deleted,  ///< it was trained, and its file is gone
  changed,  ///< it was trained, and its file holds other bytes
  rebuilt,  ///< it was trained by another file of its plugin, and is to be trained again
};

/// The cohorts that a planned model learns from.
SimulatedTrainingCohorts training_cohorts(const Study& study, const Plan& plan,
                                          const Training& training);

/// The models of a run: in the folder `models` of the run folder, kept under content keys.
///
///   models/PLUGIN.HYPOTHESIS.KEY.safetensors   the model
///   models/PLUGIN.HYPOTHESIS.KEY.history.csv   a line per epoch
///   models/checkpoints/PLUGIN.HYPOTHESIS.KEY/  until the training has ended well
class Models {
 public:
  /// Finds out which models are there.
  /// @param store null: nothing was run before.
  /// @param again  keys of models that are trained although they are there
  Models(const Study& study, const Plan& plan, std::filesystem::path run_folder, Store* store,
         const std::set<std::string>& again = {});

  /// Of each training of the plan.
  const std::vector<ModelState>& states() const { return states_; }

  /// Trains one and notes it in the store. Not thread-safe.
  /// @return its record, or nothing if the monitor stopped it
  /// @throws Error, PluginError; from then on `get` throws the same
  std::optional<ModelRecord> train(std::size_t training, std::size_t threads, Store& store,
                                   TrainingMonitor& monitor);

  /// Writes the history of a trained model again, from the store, if its file was deleted.
  /// @return whether it was
  bool mend_history(std::size_t training, Store& store) const;

  /// The method with the weights of a training; read when first asked for. Thread-safe.
  /// @throws PluginError if it failed or its file cannot be read
  const InferenceMethod& get(std::size_t training);

  /// False if `get` will throw for certain.
  bool has(std::size_t training) const;

  static constexpr const char* kModelEnding = ".safetensors";
  static constexpr const char* kHistoryEnding = ".history.csv";
  static constexpr const char* kCheckpoints = "checkpoints";  ///< folder beside models
  /// Where a run folder keeps its models.
  static std::filesystem::path folder_in(const std::filesystem::path& run_folder);

 private:
  struct Loaded {
    std::once_flag once;
    std::unique_ptr<InferenceMethod> method;
    std::string error;
  };

  TrainingFiles files(const Training& training) const;
  const TrainableMethod& method_of(const Training& training) const;
  /// Content keys of the plan's fits by this model.
  std::vector<std::string> fits_of(std::size_t training) const;

  const Study& study_;
  const Plan& plan_;
  std::filesystem::path folder_;
  std::vector<ModelState> states_;
  std::vector<std::string> contents_;  // of the files that were stored; empty where none was
  std::deque<Loaded> loaded_;
};

/// What people call a model: METHOD on HYPOTHESIS, after the values of the sweep it belongs to.
std::string name_of(const Study& study, const Training& training);
/// Why a model that is not there is to be trained: `new`, `its file was deleted`, ...
/// @param store null: nothing was run before.
std::string why_to_train(const Plan& plan, std::size_t training, const Models& models,
                         Store* store);

}  // namespace tempo
