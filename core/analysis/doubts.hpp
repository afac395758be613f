#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/store.hpp"
#include "tempo/inference_method.hpp"

namespace tempo {

/// What a trained model's training warned of (no better than chance, ...), and what the model says
/// of the cohort (unlike those it was trained on, ...), but for what is missing. Methods without a
/// model warn of much that hardly matters for the order as a whole: their warnings are no doubts.
/// @param models  Store::models
std::vector<std::string> doubts_of_model(const StoredFit& fit,
                                         const std::vector<ModelRecord>& models);

/// Whether Markov chains had not agreed on the order where they ended.
/// @param chains  absent: there were none
std::optional<std::string> doubt_of_chains(const std::optional<ChainAgreement>& chains);

/// Whether one subtype is probable enough (0.8) to be taken for the participant's.
/// @param chances  [K], at least one
bool has_sure_subtype(std::span<const double> chances);
/// How many have no subtype of which one can be sure. @param all  of how many: `12 patients`
std::string unsure_subtypes_in_words(std::size_t unsure, const std::string& all);

}  // namespace tempo
