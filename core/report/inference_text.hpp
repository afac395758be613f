#pragma once

#include <string>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"

namespace tempo {

/// A cohort of a file and what a method found in it.
struct InferredCohort {
  std::string file;
  Cohort cohort;
  Inference found;
};

/// As CSV, a row per event in the order found, then a row per participant; of several cohorts each
/// row says of which. Columns: [cohort], kind, name, rank, score, time, stage.
std::string inference_csv(const std::vector<InferredCohort>& cohorts);

/// As JSON: `plugin`, `events`, `stages` and `warnings`; of several cohorts a list, each entry
/// beginning with its file.
/// @param plugin  id of the method
std::string inference_json(const std::vector<InferredCohort>& cohorts, const std::string& plugin);

}  // namespace tempo
