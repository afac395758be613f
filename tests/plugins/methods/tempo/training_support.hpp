#pragma once

// What tests of plugin tempo share. LibTorch's headers come before Catch2, whose CHECK is meant.

#include <torch/types.h>
#undef CHECK

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model_file.hpp"
#include "network.hpp"
#include "settings.hpp"
#include "support.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/trainable_method.hpp"

namespace tempo::test {

using Setting = std::pair<std::string, std::variant<bool, std::int64_t, double, std::string>>;

/// Cohorts of a shipped hypothesis with a few biomarkers, named so that they are not sorted.
class FewCohorts final : public TrainingCohorts {
 public:
  explicit FewCohorts(const std::string& hypothesis = "h1", std::uint64_t seed = 1,
                      std::size_t participants = 40);
  SimulatedCohort draw(Purpose purpose, std::uint64_t number) const override;
  const std::vector<std::string>& biomarkers() const override { return names_; }
  const std::vector<std::string>& hypotheses() const override { return hypotheses_; }

 private:
  std::vector<std::string> names_, hypotheses_;
  std::unique_ptr<GenerativeProcess> process_;
  std::uint64_t seed_;
  CohortSize size_;
};

/// Remembers what it was told; asks to stop after so many steps of one call.
class Watcher final : public TrainingMonitor {
 public:
  explicit Watcher(std::size_t most_steps = 1'000'000) : most_steps_(most_steps) {}
  void step(const TrainingStep& step) override { steps.push_back(step); }
  void epoch(const TrainingEpoch& epoch) override { epochs.push_back(epoch); }
  bool stop_asked() const override { return steps.size() >= most_steps_; }

  std::vector<TrainingStep> steps;
  std::vector<TrainingEpoch> epochs;

 private:
  std::size_t most_steps_;
};

/// The plugin with a training of two epochs of 24 subsamples, unless settings say more.
std::unique_ptr<TrainableMethod> small_tempo(const std::vector<Setting>& settings = {});

/// Trains in a folder; the model is `folder`/model.
TrainingOutcome train(const TrainableMethod& method, const TrainingCohorts& cohorts,
                      const std::filesystem::path& folder, TrainingMonitor& monitor,
                      std::size_t threads = 1, std::uint64_t seed = 1);

/// Biomarkers a, b, ..., mean 1, standard deviation 2; knots from -3 to 3, -2.5 and 2.25 are
/// shared.
amortised::Columns columns(std::size_t biomarkers);
/// A model with initial weights of `columns`.
amortised::Model untrained(amortised::Preset preset, std::size_t biomarkers);

}  // namespace tempo::test
