#pragma once

#include <cstddef>
#include <vector>

#include "tempo/stage_prior.hpp"

namespace tempo::bayes {

/// The law of floor(k) [B + 1]: fixed, or Dirichlet with these concentrations for stages 1..B.
struct WholeStageLaw {
  std::vector<double> log_weights;     ///< [B + 1] of stages 0..B, the mean where they are drawn
  std::vector<double> concentrations;  ///< [B]; empty: fixed
};

/// @param prior  has a law
WholeStageLaw whole_stage_law(const StagePrior& prior, std::size_t biomarkers);

}  // namespace tempo::bayes
