#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "biomarker_estimate.hpp"
#include "tempo/cohort.hpp"
#include "tempo/process_law.hpp"

namespace tempo::bayes {

/// The possible traits among which a cohort can tell if distributions are not known: of two that
/// mirror each other, as the directions of a sigmoid do whose post-event mean may be on either
/// side, the first.
std::vector<int> distinct_traits(const ProcessLaw& process);

/// [traits][B], traits in the order of distinct_traits(): a trait has distributions of its own,
/// since the same values belong to other parameters under another family. Empty: distributions are
/// not sampled.
using BiomarkerEstimates = std::vector<std::vector<BiomarkerEstimate>>;

/// The biomarkers' distributions estimated from a cohort, each biomarker and trait by itself
/// (`estimate_biomarker`).
/// @param process  its parts have laws
/// @param columns  [B] of the cohort, by biomarker of the process
/// @throws NumericError naming the biomarker that has no distribution
BiomarkerEstimates estimate_biomarkers(const ProcessLaw& process, const Cohort& cohort,
                                       std::span<const std::size_t> columns);

/// The hypothesis with the estimated distributions for each trait. Does not outlive `process`.
ProcessLaw with_estimates(const ProcessLaw& process, const BiomarkerEstimates& by_trait);

}  // namespace tempo::bayes
