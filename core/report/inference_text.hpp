#pragma once

#include <string>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/method_abilities.hpp"

namespace tempo {

/// A cohort of a file and what a method found in it.
struct InferredCohort {
  std::string file;
  Cohort cohort;
  Inference found;
  LabelUse labels = LabelUse::none;  ///< what the method did with those of the cohort
};

/// As CSV, a row per event in the order found, then a row per participant; of several cohorts each
/// row says of which. Columns: [cohort], kind, name, rank, score, time, stage, mode, second_mode,
/// mean, median, low, high. Where the method has posteriors, the last two are the 95 % interval of
/// the rank or stage, and the four before them are of the stage. With subtypes there are rows of
/// their orders, too, and columns subtype and subtype_probability (of an order, its share).
std::string inference_csv(const std::vector<InferredCohort>& cohorts);

/// How much of a posterior JSON has.
enum class Posteriors {
  intervals,  ///< intervals and peaks
  whole,      ///< also every rank's and stage's probability: `rank_probabilities` [B] of an event,
              ///< `stage_probabilities` [B + 1] of a stage
};

/// As JSON: `plugin`, `labels` (what was done with the diagnosis), `events`, `stages` and
/// `warnings`; of several cohorts a list, each entry beginning with its file.
/// @param plugin  id of the method
std::string inference_json(const std::vector<InferredCohort>& cohorts, const std::string& plugin,
                           Posteriors posteriors = Posteriors::intervals);

}  // namespace tempo
