#pragma once

// What a network finds, by whichever road is the fastest on a device.

#include <torch/types.h>

#include <vector>

#include "network.hpp"

namespace tempo::amortised {

/// What a network finds in S samples of J participants.
struct Answers {
  double loss = 0.0;                    ///< mean over the samples; 0 if they have no truth
  std::vector<double> scores;           ///< [S, B], small = early
  std::vector<double> score_sds;        ///< [S, B], or empty: the network has none
  std::vector<double> stages;           ///< [S, J]
  std::vector<double> stage_posterior;  ///< [S, J, B + 1], or empty: the network has none
};

/// @param weights flat, on the device
Answers answers(const Network& network, const torch::Tensor& weights, const Samples& samples,
                torch::Device device);

}  // namespace tempo::amortised
