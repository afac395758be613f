#pragma once

#include "results/fit_details.hpp"
#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/method_abilities.hpp"

namespace tempo {

/// What is kept of what a method found, beside its scores.
struct KeptDetails {
  /// Names of columns and rows, the true order and where it lies in posteriors: not of a real
  /// cohort, which has names of its own and no truth.
  bool names = true;
  /// More than the order of events: not of replicates, which are many and of which nobody asks
  /// more.
  bool all = true;
  bool stage_posterior = false;  ///< [J, B + 1], the largest
  /// What the method did with them: where they say a stage there is nothing to be sure of.
  LabelUse labels = LabelUse::none;
};

/// What a method found, in the columns and rows of the cohort.
/// @param inference  in the same columns
FitDetails details_of(const Inference& inference, const SimulatedCohort& cohort,
                      const KeptDetails& kept);

}  // namespace tempo
