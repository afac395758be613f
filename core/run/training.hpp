#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "results/training_history.hpp"
#include "study/experiment.hpp"
#include "tempo/trainable_method.hpp"

namespace tempo {

/// The stream of a cohort that a method learns from: a pure function of seed, hypothesis and
/// number, apart from all test cohorts (cohort_stream).
RandomStream training_stream(std::uint64_t seed, TrainingCohorts::Purpose purpose,
                             const std::string& hypothesis, std::uint64_t number);

/// Training cohorts simulated from hypotheses that take turns: with H of them, cohort n is cohort
/// n / H of hypothesis n mod H, the same that a training on this hypothesis alone would see.
class SimulatedTrainingCohorts final : public TrainingCohorts {
 public:
  struct Source {
    std::string hypothesis;            ///< id
    const GenerativeProcess* process;  ///< outlives this object
  };
  /// @param sources at least one, all with the same biomarkers
  SimulatedTrainingCohorts(std::uint64_t seed, const CohortSize& size, std::vector<Source> sources);

  SimulatedCohort draw(Purpose purpose, std::uint64_t number) const override;
  const std::vector<std::string>& biomarkers() const override { return biomarkers_; }
  const std::vector<std::string>& hypotheses() const override { return hypotheses_; }

 private:
  std::uint64_t seed_;
  CohortSize size_;
  std::vector<Source> sources_;
  std::vector<std::string> biomarkers_;
  std::vector<std::string> hypotheses_;
};

/// Where a training leaves what it makes.
struct TrainingFiles {
  std::filesystem::path model;        ///< appears when the training has ended well, whole
  std::filesystem::path history;      ///< CSV, a line per epoch; grows as they end
  std::filesystem::path checkpoints;  ///< a folder, removed when the training has ended well
};

/// Whether an interrupted training has left something to go on from in its folder.
bool has_checkpoint(const std::filesystem::path& checkpoints);

/// What came of a training that did not fail.
struct Trained {
  bool finished = false;  ///< false: it was asked to stop, and the same call goes on
  std::vector<std::string> warnings;
  TrainingHistory history;
  double seconds = 0.0;
};

/// Trains a method from the stream that belongs to the seed, its plugin and the cohorts'
/// hypotheses, and checks that what it wrote says its plugin and can be read again.
/// @param monitor is told of steps and epochs, and says whether to stop
/// @throws PluginError saying what went wrong; the checkpoints stay. Error if a file cannot be
/// written.
Trained train(const TrainableMethod& method, const TrainingCohorts& cohorts, std::uint64_t seed,
              const TrainingFiles& files, std::size_t threads, TrainingMonitor& monitor);

}  // namespace tempo
