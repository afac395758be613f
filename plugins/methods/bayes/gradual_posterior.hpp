#pragma once

#include <cstddef>
#include <span>

#include "chains.hpp"
#include "estimated_process.hpp"
#include "own_times.hpp"
#include "tempo/process_law.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::bayes {

/// Samples the posterior of any other hypothesis made of parts with laws: event times on the scale
/// 0..B or a permutation, with or without noise in every cell, measurements that change gradually
/// or switch, traits, ordinal or continuous stages. Participants' stages are summed out.
///
/// @param process  its parts have laws
/// @param columns  [B] of the cohort, by biomarker of the process
/// @param estimates  of the biomarkers, around which their distributions are sampled, too;
///   empty: they are the process's
/// @param own      event times of a law that the hypothesis states itself; null: of tempo's
/// @param visit    is shown some of the draws that may count, if given
Inference sample_gradual_posterior(const ProcessLaw& process, const Cohort& cohort,
                                   std::span<const std::size_t> columns,
                                   const BiomarkerEstimates& estimates, const OwnTimes* own,
                                   const ChainSettings& settings, RandomStream& stream,
                                   const Visit& visit = {});

}  // namespace tempo::bayes
