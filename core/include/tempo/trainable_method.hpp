#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/contexts.hpp"
#include "tempo/export.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/method.hpp"
#include "tempo/random_stream.hpp"

namespace tempo {

/// The cohorts a method learns from, simulated when they are asked for and never kept.
///
/// A cohort is a pure function of its purpose and number, so that training can go on after a kill
/// with the numbers it would have seen; training, validation and test cohorts never share a stream.
/// Const calls are thread-safe: ask from any number of threads.
class TEMPO_API TrainingCohorts {
 public:
  enum class Purpose { training, validation };

  TrainingCohorts() = default;
  TrainingCohorts(const TrainingCohorts&) = delete;
  TrainingCohorts& operator=(const TrainingCohorts&) = delete;
  virtual ~TrainingCohorts();

  /// Cohort `number` = 0, 1, ... with all its participants, labelled, nothing missing. With several
  /// hypotheses they take turns.
  virtual SimulatedCohort draw(Purpose purpose, std::uint64_t number) const = 0;
  virtual const std::vector<std::string>& biomarkers() const = 0;  ///< names [B] as in each cohort
  virtual const std::vector<std::string>& hypotheses() const = 0;  ///< ids, for a model's metadata
};

/// Where training stands inside an epoch.
struct TrainingStep {
  std::uint64_t epoch = 1;         ///< counts from 1
  std::uint64_t epochs = 1;        ///< planned; training may stop earlier
  std::uint64_t samples_done = 0;  ///< of this epoch
  std::uint64_t samples = 0;       ///< of an epoch
  double loss = 0.0;               ///< mean over the epoch so far
  double samples_per_second = 0.0;
};

/// A line of the training history: named numbers, the same names in the same order for every epoch.
struct TrainingEpoch {
  std::uint64_t epoch = 1;
  std::uint64_t epochs = 1;
  std::vector<std::pair<std::string, double>> numbers;
};

/// Watches a training. Called from the thread that called `train`.
class TEMPO_API TrainingMonitor {
 public:
  TrainingMonitor() = default;
  TrainingMonitor(const TrainingMonitor&) = delete;
  TrainingMonitor& operator=(const TrainingMonitor&) = delete;
  virtual ~TrainingMonitor();

  virtual void step(const TrainingStep& step) = 0;
  /// Also called for the epochs that an earlier, interrupted training left behind.
  virtual void epoch(const TrainingEpoch& epoch) = 0;
  /// True: end as soon as may be, so that a later call can go on.
  virtual bool stop_asked() const = 0;
};

/// What a training needs.
struct TrainingTask {
  const TrainingCohorts& cohorts;
  RandomStream stream;  ///< initial weights, subsamples, dropout
  /// The file to write when training ends: safetensors, whose `__metadata__` says in `plugin` which
  /// plugin can load it, and in `biomarkers` (a JSON list of names) what its cohorts must hold.
  std::filesystem::path model;
  /// A folder of the training's own for what it needs to go on after a kill. Kept until it ends.
  std::filesystem::path checkpoints;
  std::size_t threads = 1;  ///< how many may be busy
};

struct TrainingOutcome {
  bool finished = false;  ///< false: stopped by the monitor; the same call goes on
  std::vector<std::string> warnings;
};

/// A method that learns from simulated cohorts before it can infer anything.
///
/// A setting declared by Parameters::device says where numbers are computed and not what is:
/// `--device` sets it, and models under any device count as the same.
///
/// Objects are immutable; const calls are thread-safe. What `load` returns is an InferenceMethod
/// like any other, with the abilities the plugin declares.
class TEMPO_API TrainableMethod : public Method {
 public:
  static constexpr InterfaceKind kKind = InterfaceKind::trainable_method;
  using Context = NoContext;

  ~TrainableMethod() override;

  /// Trains and writes the model, or goes on where an interrupted call with the same task and
  /// settings stopped: on a CPU the weights are then those of an uninterrupted training, bit for
  /// bit.
  /// @throws PluginError (also for checkpoints of another task or other settings)
  TrainingOutcome train(const TrainingTask& task, TrainingMonitor& monitor) const;
  /// Reads a model; its lengths and offsets are checked against the file before anything is
  /// allocated.
  /// @param threads how many one `fit` of the result may keep busy.
  /// @throws PluginError saying what is wrong with the file.
  std::unique_ptr<InferenceMethod> load(const std::filesystem::path& model,
                                        std::size_t threads) const;

 private:  // What a plugin writes.
  virtual TrainingOutcome do_train(const TrainingTask& task, TrainingMonitor& monitor) const = 0;
  virtual std::unique_ptr<InferenceMethod> do_load(const std::filesystem::path& model,
                                                   std::size_t threads) const = 0;
};

}  // namespace tempo
