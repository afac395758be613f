#pragma once

// The cohorts from which the generalist learns: any hypothesis, any biomarkers, any size.

#include <cstddef>

#include "tempo/generative_process.hpp"
#include "tempo/part_factory.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::amortised {

/// A cohort of B biomarkers with 50 to 2,000 participants, some of whose cells may be missing.
///
/// Seven in ten come from one of h1 to h9, the others from a composition of their parts, whose
/// settings are random as well. Distributions of biomarkers are drawn for each cohort. A third of
/// the cohorts is without diagnosis. Pure function of the stream.
SimulatedCohort draw_cohort(const PartFactory& factory, std::size_t biomarkers,
                            RandomStream& stream);

/// 5 to 30, few more often than many.
std::size_t draw_biomarker_count(RandomStream& stream);

}  // namespace tempo::amortised
