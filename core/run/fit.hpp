#pragma once

#include <string>

#include "results/fit_result.hpp"
#include "study/experiment.hpp"
#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"

namespace tempo {

/// The record of a fit that came to nothing; line breaks in `why` become semicolons.
FitRecord failed_fit(const std::string& why, double seconds);

/// `7 of 200 measurements are missing and were left out: ABETA (1 healthy, 2 diseased), ...`, what
/// a method was not given; empty if nothing is missing.
/// @param cohort  with labels
std::string missing_in_words(const Cohort& cohort, MissingData what_it_does);

/// Runs one method on one cohort of an experiment and scores it against the truth; a real cohort
/// has none, and its fits no scores.
///
/// The method gets the columns in the entry's order and, if it uses no labels, no labels; what it
/// returns is put back into the cohort's own order. The random order is drawn from the names, not
/// from the columns as they stand: a cohort read from files is seen as it was when it had just been
/// simulated. Whatever the method throws becomes a failed record.
/// @param hypothesis, number  of the cohort: they name the random streams
FitRecord fit_and_score(const InferenceMethod& method, const MethodEntry& entry,
                        const SimulatedCohort& truth, const Experiment& experiment,
                        const std::string& hypothesis, std::size_t number);

}  // namespace tempo
