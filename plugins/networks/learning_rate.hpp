#pragma once

#include <cmath>
#include <numbers>

namespace tempo::amortised {

/// How large steps are after a share of a training: 2 % of warm-up, then a cosine from the peak to
/// a hundredth of it.
/// @param done in (0, 1)
inline double cosine_rate(double peak, double done) {
  constexpr double kWarmUp = 0.02, kLastRate = 0.01;
  if (done < kWarmUp) return peak * done / kWarmUp;
  const double cosine =
      0.5 * (1.0 + std::cos(std::numbers::pi * (done - kWarmUp) / (1.0 - kWarmUp)));
  return peak * (kLastRate + (1.0 - kLastRate) * cosine);
}

}  // namespace tempo::amortised
