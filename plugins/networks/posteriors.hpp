#pragma once

// What a network's answers mean.

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/matrix.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::amortised {

/// The standard deviation of a score: with normal errors of this size, one event is before another
/// as often as the loss of pairs says.
double score_sd(double log_variance, double log_sharpness);

/// The median of each row of probabilities [..., stages]: it has the least expected absolute error.
std::vector<double> median_stages(const std::vector<double>& posterior, std::size_t stages);

/// How often each event has each rank when scores are drawn with their errors: [B, B]. Orders are
/// drawn, so that the ranks of all events agree with each other.
/// @param scores, sds [B]
Matrix rank_posterior(std::span<const double> scores, std::span<const double> sds,
                      RandomStream& stream);

}  // namespace tempo::amortised
