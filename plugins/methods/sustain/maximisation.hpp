#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "density_mixture.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::sustain {

/// Orders and shares of subtypes, and how likely they are.
struct Solution {
  OrderSet orders;             ///< [K]
  std::vector<double> shares;  ///< [K]
  double log_likelihood = 0.0;
};

/// The orders and shares of K subtypes of highest likelihood that the published search finds: one
/// subtype from random orders; then, K - 1 times, one is split in two. Participants go to their
/// likeliest subtype; each of these groups is cut at random in two, many times, and the best pair
/// of orders of a group takes its subtype's place as a start for all.
///
/// Source: Young et al. 2018, Nature Communications 9, 4273, as in the program pySuStaIn.
/// @param starts  random starts, cuts of a group, and fits of all from a start
Solution find_subtypes(const CellDensities& densities, std::size_t subtypes, std::int64_t starts,
                       RandomStream& stream);

}  // namespace tempo::sustain
