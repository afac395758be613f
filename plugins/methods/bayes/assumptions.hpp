#pragma once

#include <cmath>

#include "tempo/biomarker_table.hpp"

// What every sampler and estimate of bayes assumes alike.
namespace tempo::bayes {

/// No log density of this biomarker counts as less: what is impossible may be a rounded value.
inline double least_log_density(const Biomarker& biomarker) {
  constexpr double kPerSd = -30.0;
  return kPerSd - std::log(biomarker.phi.sd);
}

/// Widths of the prior of a biomarker's distributions (`BiomarkerEstimate`): of means, in sds, and
/// of the logarithms of sds.
inline constexpr double kMeansWithin = 1.0;
inline constexpr double kLogSdsWithin = 0.7;

}  // namespace tempo::bayes
