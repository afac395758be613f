#pragma once

#include <filesystem>

#include "study/cohort_builder.hpp"
#include "study/experiment.hpp"
#include "study/experiment_input.hpp"
#include "study/faults_in_order.hpp"

namespace tempo {

/// Makes experiments of plain input: fills in the defaults of plugins' settings, finds files and
/// folders, and lists models and cohorts.
class StudyBuilder {
 public:
  /// @param file  of the experiment
  StudyBuilder(const std::filesystem::path& file, const Registry& registry)
      : folder_(file.has_parent_path() ? file.parent_path() : "."), registry_(registry) {}

  struct Point {
    Experiment experiment;
    ParameterTable lock;           ///< what was read, defaults filled in
    std::filesystem::path folder;  ///< where its relative paths start
  };
  /// @param faults  gets the faults that the reader could not find
  Point build(const ExperimentInput& input, FaultsInOrder& faults);

 private:
  std::filesystem::path folder_;  // of the experiment file
  const Registry& registry_;
  RealCohorts real_cohorts_;
};

}  // namespace tempo
