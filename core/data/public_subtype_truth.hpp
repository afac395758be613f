#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "data/public_truth.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/problem.hpp"

namespace tempo {

// The truth of a cohort with subtypes as JSON, with the keys that public_cohorts.hpp lists.

/// Reads a truth and compares everything with its cohort. Both results are of use only if no
/// problem was added.
/// @param biomarkers  set where the truth says how the cohort was drawn
void read_subtype_truth_entry(const nlohmann::json& entry, const TruthPlace& place,
                              Problems& problems, Truth& truth,
                              std::optional<BiomarkerTable>& biomarkers);

/// The truth of a cohort with subtypes that check(truth, cohort) accepts.
/// @param biomarkers  how the cohort was drawn, or null
nlohmann::json subtype_truth_to_json(const Cohort& cohort, const Truth& truth,
                                     const BiomarkerTable* biomarkers);

}  // namespace tempo
