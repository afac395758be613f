#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "biomarker_values.hpp"
#include "order_search.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/matrix.hpp"
#include "tempo/parameters.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::toolkit {

// What event-based models have in common once each biomarker has a distribution before and one
// after its event: search for the order, then stages.

/// The order by which participants are staged.
enum class StageOrder {
  greedy,  ///< best of the ascents
  ml,      ///< most likely on the chain
  mean     ///< by posterior mean rank
};

struct EventBasedSettings {
  /// What a published program does, and its defaults.
  struct Published {
    Proposal proposal;
    bool climb_ties;
    long iterations;
    StageOrder stage_with;
  };

  /// Reads the keys of the search: fidelity, starts, start_iterations, iterations, chains, burn_in,
  /// thinning, stage_with.
  EventBasedSettings(Parameters& keys, const Published& published);

  Fidelity fidelity = Fidelity::repaired;
  PublishedSearchSettings search;  ///< paper
  SamplingSettings sampling;       ///< repaired
  StageOrder stage_with = StageOrder::mean;
};

/// kde_ebm and pyebm add this to every participant's likelihood.
inline constexpr double kPublishedFloor = 1e-250;

/// Event scores and diagnostics; no stages yet.
Inference inference_of(const PublishedSearch& search);
/// The order to stage with: the best of the ascents, or the most likely one on the chain.
const std::vector<std::size_t>& staging_order(const PublishedSearch& search, StageOrder which);

/// Everything from a sample of orders.
///
/// A sweep costs O(J B^2): with B > 12 biomarkers chains have (12 / B)^2 of `settings.iterations`
/// sweeps at most, so that they cost no more than with 12. There are always 40, or all of them.
///
/// @param log_ratios  log(y / n) [J, B] for the order, NaN where missing.
/// @param stage_log_ratios  the same for the stages.
///
/// All stages 0..B are equally likely; the evidence of a participant is bounded as in OrderSampler.
///
/// Nothing depends on the order of columns: inside, biomarkers are taken by their mean log ratio,
/// equal ones by lot.
Inference infer_from_sample(const Matrix& log_ratios, const Matrix& stage_log_ratios,
                            const SamplingSettings& settings, RandomStream& stream);

}  // namespace tempo::toolkit
