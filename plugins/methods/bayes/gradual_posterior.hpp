#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "switch_posterior.hpp"

namespace tempo::bayes {

/// One draw from the posterior, seen before the next.
struct GradualDraw {
  std::span<const double> event_times;      ///< [B] by biomarker of the process, on the scale 0..B
  std::span<const int> traits;              ///< [B]
  std::span<const double> log_likelihoods;  ///< [J] log p(x_j | draw), in nats per unit
};

/// Samples the posterior of any other hypothesis made of parts with laws: event times on the scale
/// 0..B or a permutation, with or without noise in every cell, measurements that change gradually
/// or switch, traits, ordinal or continuous stages. Participants' stages are summed out.
///
/// @param process  its parts have laws
/// @param columns  [B] of the cohort, by biomarker of the process
/// @param visit    is shown some of the draws that count, if given
Inference sample_gradual_posterior(const ComposedProcess& process, const Cohort& cohort,
                                   std::span<const std::size_t> columns,
                                   const ChainSettings& settings, RandomStream& stream,
                                   const std::function<void(const GradualDraw&)>& visit = {});

}  // namespace tempo::bayes
