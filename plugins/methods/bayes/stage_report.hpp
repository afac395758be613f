#pragma once

#include <cstddef>
#include <span>

#include "tempo/inference_method.hpp"
#include "tempo/matrix.hpp"

namespace tempo::bayes {

/// Fills in the posterior of the ordinal stages and their medians; the healthy are at 0.
/// @param sums      [diseased, B + 1] posteriors of draws added up
/// @param diseased  rows of the cohort
/// @param participants  J
void report_stages(const Matrix& sums, std::span<const std::size_t> diseased,
                   std::size_t participants, Inference& inference);

}  // namespace tempo::bayes
