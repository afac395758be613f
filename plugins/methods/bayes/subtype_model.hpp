#pragma once

#include <memory>
#include <span>

#include "estimated_process.hpp"
#include "subtype_posterior.hpp"
#include "tempo/cohort.hpp"
#include "tempo/process_law.hpp"

namespace tempo::bayes {

/// Whether measurements switch and stages lie between the events of a progression, so that its
/// order says all beside the stages' probabilities.
bool is_switch_between_events(const ProcessLaw& process);

/// SwitchSubtypes where that is so, else GradualSubtypes.
/// @param process    its parts have laws, and its event times are of kind permutation or beta;
///   outlives the model
/// @param columns    [B] of the cohort, by biomarker of the process
/// @param diseased   rows of the cohort
/// @param estimates  around which distributions are sampled; none: they are not. Only where
///   is_switch_between_events()
std::unique_ptr<SubtypeModel> subtype_model(const ProcessLaw& process, const Cohort& cohort,
                                            std::span<const std::size_t> columns,
                                            std::span<const std::size_t> diseased,
                                            const BiomarkerEstimates& estimates = {});

}  // namespace tempo::bayes
