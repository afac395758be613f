#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/method_abilities.hpp"

namespace tempo {

/// What posteriors say of the truth, on average: the logarithm of the probability that they give
/// it, in nats; 0 is perfect.
struct LogScore {
  double mean = std::numeric_limits<double>::quiet_NaN();
  std::size_t impossible = 0;  ///< truths with a probability below kLeastProbability

  /// A truth that posteriors of a finite number of draws hold for impossible counts as this.
  static constexpr double kLeastProbability = 1e-6;
};

/// Of the ranks of all biomarkers. Absent without such a posterior.
std::optional<LogScore> rank_log_score(const Inference& found, const Truth& truth);
/// Of the stages of all participants whom no label tells. Absent without such a posterior, and
/// where labels tell all.
std::optional<LogScore> stage_log_score(const Inference& found, const SimulatedCohort& cohort,
                                        LabelUse labels);

}  // namespace tempo
