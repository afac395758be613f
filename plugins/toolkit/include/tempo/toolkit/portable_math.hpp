#pragma once

// exp and log from additions, multiplications and bits: the same value on every CPU and in every
// lane, where the C library picks a variant (with or without fused multiply-add) at run time.
// Relative error below 1e-14.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tempo::toolkit {

/// Four doubles side by side, one participant each. GCC makes one AVX2 or two SSE2 instructions of
/// an operation; as neither fuses nor reorders, the results are equal.
using Lanes [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
using LaneBits [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = std::int64_t;
inline constexpr std::size_t kLanes = 4;

// __builtin_bit_cast: std::bit_cast is a function, and vectors cannot be passed by value on every
// CPU.
namespace detail {

inline constexpr double kLog2E = 1.4426950408889634;
inline constexpr double kLn2High = 0x1.62e42feep-1;  // 20 trailing zero bits: n * kLn2High is exact
inline constexpr double kLn2Low = 1.9082149292705877e-10;  // ln 2 = high + low
inline constexpr double kShifter = 0x1.8p52;  // adding it rounds to an integer, in the low bits
inline constexpr std::int64_t kExponentBias = 1023;

/// 1/n! for n = 12, 11, ..., 0: Taylor's series of exp, enough for |r| <= ln(2)/2.
inline constexpr std::array<double, 13> kInverseFactorials = [] {
  std::array<double, 13> out{};
  double factorial = 1.0;
  for (std::size_t n = 0; n < out.size(); ++n) {
    if (n > 0) factorial *= static_cast<double>(n);
    out[out.size() - 1 - n] = 1.0 / factorial;
  }
  return out;
}();

/// exp(x) for -700 <= x <= 700: x = n ln 2 + r, exp(x) = 2^n exp(r).
template <class Real, class Bits>
[[gnu::always_inline]] inline void exp_in_range(const Real& x, Real& out) {
  const Real shifted = x * kLog2E + kShifter;
  const Real n = shifted - kShifter;
  const Real r = (x - n * kLn2High) - n * kLn2Low;
  Real sum = kInverseFactorials[0] * r + kInverseFactorials[1];
  for (std::size_t i = 2; i < kInverseFactorials.size(); ++i) sum = sum * r + kInverseFactorials[i];
  const auto exponent = (__builtin_bit_cast(Bits, shifted) + kExponentBias) << 52;
  out = sum * __builtin_bit_cast(Real, exponent);
}

}  // namespace detail

/// Four values of a column.
[[gnu::always_inline]] inline const Lanes& lanes(const double* values) {
  return *reinterpret_cast<const Lanes*>(values);
}
[[gnu::always_inline]] inline Lanes& lanes(double* values) {
  return *reinterpret_cast<Lanes*>(values);
}

/// The larger (smaller) value in each lane.
[[gnu::always_inline]] inline void raise_to(Lanes& x, const Lanes& other) {
  x = other > x ? other : x;
}
[[gnu::always_inline]] inline void lower_to(Lanes& x, const Lanes& other) {
  x = other < x ? other : x;
}

/// exp(x) with x taken as -700 or 700 outside that range.
[[gnu::always_inline]] inline void exp_lanes(const Lanes& x, Lanes& out) {
  Lanes clamped = x;
  raise_to(clamped, Lanes{} - 700.0);
  lower_to(clamped, Lanes{} + 700.0);
  detail::exp_in_range<Lanes, LaneBits>(clamped, out);
}

/// exp(x) of x <= 0 down to the least double, and 0 where that rounds to 0.
[[gnu::always_inline]] inline void exp_lanes_to_zero(const Lanes& x, Lanes& out) {
  constexpr double kHalvings = 64.0, kLargest = 700.0, kZeroBelow = -745.1332191019411;
  const LaneBits tiny = x < -kLargest;
  Lanes raised = tiny ? x + kHalvings * (detail::kLn2High + detail::kLn2Low) : x;
  raise_to(raised, Lanes{} - kLargest);
  detail::exp_in_range<Lanes, LaneBits>(raised, out);
  out = tiny ? out * 0x1p-64 : out;
  out = x < kZeroBelow ? Lanes{} : out;
}

/// exp(x) with x taken as -700 or 700 outside that range.
inline double portable_exp(double x) {
  double out = 0.0;
  detail::exp_in_range<double, std::int64_t>(std::fmin(std::fmax(x, -700.0), 700.0), out);
  return out;
}

/// log(x) of a positive, finite, normal x, by 2 artanh((m - 1)/(m + 1)) for the mantissa m.
inline double portable_log(double x) {
  auto bits = __builtin_bit_cast(std::int64_t, x);
  auto n = (bits >> 52) - detail::kExponentBias;
  bits = (bits & 0x000fffffffffffff) | 0x3ff0000000000000;
  double m = __builtin_bit_cast(double, bits);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++n;
  }
  const double s = (m - 1.0) / (m + 1.0), square = s * s;
  double sum = 0.0;
  for (int power = 21; power >= 1; power -= 2) sum = sum * square + 1.0 / power;
  const auto whole = static_cast<double>(n);
  return whole * detail::kLn2High + (whole * detail::kLn2Low + 2.0 * s * sum);
}

}  // namespace tempo::toolkit
