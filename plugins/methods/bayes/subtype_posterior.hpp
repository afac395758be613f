#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "subtype_stages.hpp"
#include "switch_evidence.hpp"
#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/matrix.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::bayes {

/// What is known beforehand of the orders of subtypes.
enum class SubtypeOrders {
  mallows,  ///< they are near a common centre, more or less: OrderCentre
  uniform   ///< each is any order
};

struct SubtypeSettings {
  std::size_t subtypes = 1;
  SubtypeOrders orders = SubtypeOrders::mallows;
  std::int64_t starts = 16;  ///< annealed, of which the most probable goes on
  std::int64_t start_sweeps = 100;
  std::int64_t sweeps = 2000;  ///< of that one, at most, of which the later half is used
};

struct SubtypeDraw;
/// Is shown a draw that counts, and the [K] matrices [J, B + 1] proportional to P(subtype, stage |
/// draw) in each row. Subtypes are numbered as in the draw.
using VisitSubtypes = std::function<void(const SubtypeDraw&, std::span<const Matrix>)>;

/// Samples the posterior of several progressions of a hypothesis whose events are ranked and whose
/// measurements switch: orders, traits, which all progressions share, shares ~ Dirichlet(1), and
/// the probabilities of stages in each progression. Subtypes and stages of participants are summed
/// out. Draws are relabelled to the likeliest.
///
/// @param evidence  of the cohort
/// @param columns   [B] of the cohort, by biomarker of the evidence
/// @param diseased  rows of the cohort, as in the evidence
/// @param visit     is shown a hundred draws at most, evenly spread, if given
Inference sample_subtypes(const SwitchEvidence& evidence, const DrawStages& draw_stages,
                          std::span<const std::size_t> columns,
                          std::span<const std::size_t> diseased, const SubtypeSettings& settings,
                          const RandomStream& stream, const VisitSubtypes& visit = {});

}  // namespace tempo::bayes
