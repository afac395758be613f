#pragma once

#include <string>

#include "results/fit_result.hpp"
#include "study/experiment.hpp"
#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"

namespace tempo {

/// The record of a fit that failed; line breaks in `why` become semicolons.
FitRecord failed_fit(const std::string& why, double seconds, FitStatus status = FitStatus::failed);

/// How near orders and stages come to the truth.
FitScores scores_of(const Inference& inference, const SimulatedCohort& cohort);

/// Which measurements a method was not given: `7 of 200 measurements are missing and were left out:
/// ABETA (1 healthy, 2 diseased), ...`. Empty if none is missing.
/// @param cohort  with labels
std::string missing_in_words(const Cohort& cohort, MissingData what_it_does);

/// Runs one method on one cohort of an experiment and scores it against the truth. A real cohort
/// has no truth, and its fits have no scores.
///
/// The method gets the columns in the entry's order, and labels only if it uses them. Its results
/// are put back into the cohort's own order. The random order is drawn from the names, not from the
/// columns as they stand: the method sees a cohort from files as it saw the one that was simulated.
/// An exception of the method becomes a failed record; where the method gave up since tempo was
/// asked to stop, the record is pending.
/// @param hypothesis, number  of the cohort: they name the random streams
FitRecord fit_and_score(const InferenceMethod& method, const MethodEntry& entry,
                        const SimulatedCohort& truth, const Experiment& experiment,
                        const std::string& hypothesis, std::size_t number);

}  // namespace tempo
