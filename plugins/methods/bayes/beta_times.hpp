#pragma once

#include <limits>

#include "tempo/event_times.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::bayes {

/// log of what cannot be.
inline constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// log density of an event time of kind beta, but for a constant.
/// @param share  of the time axis; impossible outside of (0, 1)
inline double log_beta_density(const EventTimes& law, double share) {
  if (!(share > 0.0 && share < 1.0)) return kImpossible;
  return (law.alpha() - 1.0) * toolkit::portable_log(share) +
         (law.beta() - 1.0) * toolkit::portable_log(1.0 - share);
}

}  // namespace tempo::bayes
