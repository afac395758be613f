#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/fitted_cohorts.hpp"
#include "analysis/spread.hpp"

namespace tempo {

/// Fits that a timeline leaves out, and why.
struct LeftOut {
  enum class Why {
    ranks,     ///< under their hypotheses events have ranks, and no times
    constant,  ///< they have all events at one time
    no_times,  ///< they give no times of events
  };
  Why why = Why::no_times;
  std::vector<std::size_t> fits;

  /// Whether they have times of a sort, which a timeline shows if the user asks for them.
  bool can_be_asked_for() const { return why != Why::no_times; }
};

/// Event times, each fit's rescaled to [0, 1] by its first and last event. Fits whose times
/// are ranks, or all the same, are left out unless they were asked for.
struct RescaledTimeline {
  std::vector<std::size_t> fits;                               ///< those with times
  std::vector<std::size_t> rows;                               ///< biomarkers by mean time
  std::vector<std::vector<double>> times;                      ///< [of fits][B]
  std::vector<std::vector<std::optional<Within>>> replicates;  ///< [of fits][B]
  /// [of fits][B], rescaled as the fit's times are: an interval may reach beyond 0 and 1.
  std::vector<std::vector<std::optional<Within>>> posterior;
  /// [B] over fits whose times are not ranks, if there are any, else over all; of these over the
  /// ones that count (counted_fits), if there are any.
  std::vector<Spread> across;
  bool across_ranks = false;      ///< they all are ranks
  std::vector<LeftOut> left_out;  ///< each with at least one fit
};
RescaledTimeline timeline(const FittedCohort& cohort);

/// Values rescaled to [0, 1]; 0.5 where all are equal.
std::vector<double> rescaled(const std::vector<double>& values);

}  // namespace tempo
