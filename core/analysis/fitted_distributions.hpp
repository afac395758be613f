#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"

namespace tempo {

/// A biomarker of a real cohort: which values the groups have, and the distributions before and
/// after its event that a run took for known or estimated.
struct FittedDistribution {
  static constexpr std::size_t kBins = 24;  ///< equal ones, from the least to the largest value
  /// Of one group: density per unit of the biomarker.
  using Histogram = std::array<double, kBins>;

  std::string biomarker;
  Normal pre_event, post_event;
  /// Share of the diseased after the event: the mixture of both that describes them best (maximum
  /// likelihood).
  double post_share = 0.0;
  double low = 0.0, high = 0.0;  ///< ends of the histograms
  Histogram healthy{}, diseased{};
  double mean_difference = 0.0;    ///< diseased minus healthy
  double median_difference = 0.0;  ///< likewise

  /// Whether the event changes the biomarker the other way than the diseased differ from the
  /// healthy, by mean and by median.
  bool is_direction_odd() const;
};

/// Of the biomarkers that both groups have values of, and that differ; in the cohort's order.
/// @param cohort  with labels
/// @param known   of its biomarkers, in any order; others are left out
std::vector<FittedDistribution> fitted_distributions(const Cohort& cohort,
                                                     const BiomarkerTable& known);

}  // namespace tempo
