#pragma once

// Products of very many factors, a logarithm taken only at the end: a mantissa and a sum of
// exponents in each lane.

#include <cstddef>
#include <cstdint>

#include "portable_math.hpp"

namespace tempo::toolkit {

using UnsignedLanes [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = std::uint64_t;

/// Multiplies a mantissa in [1, 2) by factor > 0 and moves the powers of two to `exponent`, biased
/// by kExponentBias per call. A factor so small that it is not a normal number counts as about
/// 1e-308.
[[gnu::always_inline]] inline void multiply(Lanes& mantissa, UnsignedLanes& exponent,
                                            const Lanes& factor) {
  constexpr std::uint64_t kFraction = 0x000fffffffffffff, kOne = 0x3ff0000000000000;
  const Lanes product = mantissa * factor;
  const auto bits = __builtin_bit_cast(UnsignedLanes, product);
  exponent += bits >> 52;
  mantissa = __builtin_bit_cast(Lanes, (bits & kFraction) | kOne);
}

/// log of the product over lanes of mantissas and exponents that so many factors per lane went
/// into.
inline double log_product(const double* mantissas, const std::uint64_t* exponents,
                          std::size_t factors) {
  std::int64_t powers = -static_cast<std::int64_t>(kLanes * factors) * detail::kExponentBias;
  double product = 1.0;
  for (std::size_t l = 0; l < kLanes; ++l) {
    powers += static_cast<std::int64_t>(exponents[l]);
    product *= mantissas[l];
  }
  return static_cast<double>(powers) * (detail::kLn2High + detail::kLn2Low) + portable_log(product);
}

}  // namespace tempo::toolkit
