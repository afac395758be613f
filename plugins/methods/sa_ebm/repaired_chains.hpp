#pragma once

#include <cstdint>

#include "components.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::sa_ebm {

struct RepairedSettings {
  Variant variant = Variant::conjugate;
  std::int64_t iterations = 10000;  ///< of all chains together
  std::int64_t chains = 4;
  double burn_in = 0.5;          ///< share of each chain
  std::int64_t thinning = 4;     ///< every so many iterations after burn-in a draw is kept
  std::int64_t order_moves = 3;  ///< biomarkers moved per iteration
};

/// Markov chains whose stationary distribution is the posterior of order, stages, stage
/// probabilities and (conjugate) distributions: README.md. Event scores and stages are in the
/// columns and rows of the cohort.
Inference repaired_chains(const Cohort& cohort, const Study& study,
                          const RepairedSettings& settings, const RandomStream& stream);

}  // namespace tempo::sa_ebm
