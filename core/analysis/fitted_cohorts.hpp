#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.hpp"
#include "results/store.hpp"

namespace tempo {

/// What a trained model's training warned of (no better than chance, ...), and what the model says
/// of the cohort (unlike those it was trained on, ...), but for what is missing. Other methods warn
/// of much that says little about the order as a whole: nothing is said of them.
/// @param row     with its warnings
/// @param models  Store::models
std::vector<std::string> doubts_of_model(const ResultRow& row,
                                         const std::vector<ModelRecord>& models, Store& store);
/// Whether Markov chains had not agreed on the order where they ended.
/// @param details  of a fit, with its `diagnostics` if it has any
std::optional<std::string> doubt_of_chains(const nlohmann::json& details);

/// The real cohorts of a run with their fits that came to something; those that are still to be
/// made or have failed are counted. Replicates go to the fit that they are replicates of.
std::vector<FittedCohort> fitted_cohorts(Store& store, const WantedOfFits& wanted);

/// Keeps the fits of these methods, or with these names as tables have them (`tempo on h8`).
/// @return what is neither, in the order given
std::vector<std::string> keep_fits(const std::vector<std::string>& wanted,
                                   std::vector<FittedCohort>& cohorts);

}  // namespace tempo
