#pragma once

#include <vector>

#include "results/store.hpp"
#include "tempo/matrix.hpp"

namespace tempo {

/// The log-likelihoods along the Markov chains of a fit.
struct FitTrace {
  FitId id;
  Matrix chains;  ///< [chains, points], in the order of draws
};
/// Of the planned fits that kept one, in plan order.
std::vector<FitTrace> traces_of_fits(Store& store);

}  // namespace tempo
