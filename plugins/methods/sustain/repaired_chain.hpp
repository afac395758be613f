#pragma once

#include <cstddef>
#include <cstdint>

#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/matrix.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::sustain {

struct RepairedSettings {
  std::size_t subtypes = 3;
  std::int64_t starts = 8;        ///< annealed, from random orders
  std::int64_t iterations = 400;  ///< sweeps of the likeliest, of which the later half is used
};

/// The same model as published, sampled by a valid chain: the mean over its draws. The diseased are
/// of a subtype, every stage 0..B equally likely.
/// @param log_ratios  log(post / pre) of every cell, [J, B]; NaN where missing
Inference repaired_chain(const Cohort& cohort, const Matrix& log_ratios,
                         const RepairedSettings& settings, RandomStream& stream);

}  // namespace tempo::sustain
