#pragma once

#include <optional>
#include <span>

#include "analysis/spread.hpp"

namespace tempo {

/// A posterior of a participant's stage in short.
struct StagePosterior {
  Within within;        ///< within_posterior
  double mode = 0.0;    ///< the most probable stage, the lowest of equals
  double median = 0.0;  ///< the lowest stage that at least half of the probability does not exceed
  /// Another peak, where there is one: mean and median then lie where the participant may well not
  /// be.
  std::optional<double> second_mode = {};
};

/// A second peak is the most probable stage beyond a valley: some stage between it and the mode is
/// at most half as probable as it is, and the stages beyond that one hold this share at least.
inline constexpr double kSecondPeakShare = 0.1;

/// @param probabilities  of stages 0, 1, ...; sum to 1
StagePosterior stage_posterior(std::span<const double> probabilities);

}  // namespace tempo
