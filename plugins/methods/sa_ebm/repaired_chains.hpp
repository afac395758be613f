#pragma once

#include <cstdint>

#include "components.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::sa_ebm {

struct RepairedSettings {
  Variant variant = Variant::conjugate;
  std::int64_t iterations = 4000;  ///< of all chains together, at most
  std::int64_t chains = 4;
  std::int64_t thinning = 1;      ///< every so many iterations a draw is kept
  std::int64_t order_moves = 12;  ///< biomarkers moved per iteration, by either kind of move
};

/// Markov chains whose stationary distribution is the posterior of order, stages, stage
/// probabilities and (conjugate) distributions, run until they agree: README.md. Event scores and
/// stages are in the columns and rows of the cohort.
Inference repaired_chains(const Study& study, const RepairedSettings& settings,
                          const RandomStream& stream);

}  // namespace tempo::sa_ebm
