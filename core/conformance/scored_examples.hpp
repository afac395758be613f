#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::conformance {

/// A cohort with its truth.
SimulatedCohort scored_example(std::size_t biomarkers, std::size_t participants);

/// An answer about a cohort.
struct ScoredAnswer {
  std::string name;
  Inference found;
  SimulatedCohort cohort;
};
/// The truth, its reverse, a random order, and the truth and its reverse with posteriors and times
/// of events: without ties.
std::vector<ScoredAnswer> answers(const SimulatedCohort& cohort);
/// All events at once, and everybody at the same stage.
ScoredAnswer tied_answer(const SimulatedCohort& cohort);
// Places of some of them.
inline constexpr std::size_t kTruth = 0, kReversed = 1, kSureTruth = 3, kSureReversed = 4;

// The same answer, written another way.
ScoredAnswer with_biomarkers_reversed(ScoredAnswer answer);
ScoredAnswer with_participants_reversed(ScoredAnswer answer);
ScoredAnswer with_other_names(ScoredAnswer answer);
ScoredAnswer with_scores_on_another_scale(ScoredAnswer answer);

}  // namespace tempo::conformance
