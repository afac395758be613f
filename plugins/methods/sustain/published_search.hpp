#pragma once

#include <cstddef>
#include <cstdint>

#include "density_mixture.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::sustain {

struct PublishedSettings {
  std::size_t subtypes = 3;
  std::int64_t starts = 25;
  std::int64_t iterations = 100'000;  ///< samples of the chain, the first included
};

/// As published: orders by maximisation; memberships as means over a Metropolis chain from there,
/// whose steps are tuned by three shorter ones; stages by the maximum. Columns and rows are those
/// of the densities.
Inference published_search(const CellDensities& densities, const PublishedSettings& settings,
                           RandomStream& stream);

}  // namespace tempo::sustain
