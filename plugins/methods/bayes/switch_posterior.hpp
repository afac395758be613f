#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/composed_process.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::bayes {

struct ChainSettings {
  long chains = 4;
  long burn_in = 50;       ///< sweeps not used; of a longer chain its first half is not, either
  long iterations = 2000;  ///< sweeps of a chain, at most
};

/// Samples the posterior of a hypothesis whose event times are a permutation and whose measurements
/// switch at the event: orders, traits and, for ordinal stages, the probabilities of the stages.
/// Participants' stages are summed out.
///
/// @param process  its parts have laws
/// @param columns  [B] of the cohort, by biomarker of the process
/// @param around   [traits] the distributions around which those of the biomarkers are sampled, too;
///   empty: they are the process's
Inference sample_switch_posterior(const ComposedProcess& process, const Cohort& cohort,
                                  std::span<const std::size_t> columns,
                                  const std::vector<BiomarkerTable>& around,
                                  const ChainSettings& settings, RandomStream& stream);

}  // namespace tempo::bayes
