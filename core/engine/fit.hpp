#pragma once

#include "engine/experiment.hpp"
#include "engine/store.hpp"
#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"

namespace tempo {

/// Runs one method on one cohort and scores it against the truth.
///
/// The method gets the columns in the entry's order and, if it uses no labels, no labels; what it
/// returns is put back into the cohort's own order. Whatever it throws becomes a failed record.
FitRecord fit_and_score(const InferenceMethod& method, const MethodEntry& entry,
                        const SimulatedCohort& truth, std::uint64_t seed,
                        const std::string& hypothesis, std::size_t number);

}  // namespace tempo
