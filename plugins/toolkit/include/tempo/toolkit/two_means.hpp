#pragma once

#include <span>
#include <vector>

#include "tempo/biomarker_table.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::toolkit {

/// Pre-event and post-event normal distributions from two clusters of values.
struct TwoMeans {
  Normal phi, theta;
  std::vector<bool> in_theta;  ///< [n] which cluster a value belongs to
  bool by_diagnosis = false;   ///< the clusters were too small: see below
};

/// Two-means clustering of one biomarker's values, started from the means of controls and diseased:
/// Lloyd's iteration, until no value changes cluster or the centres move by less than 1e-4 of the
/// values' variance (squared). The cluster of most controls (of equals, the one started from them)
/// is phi, whatever the diagnosis of its members.
///
/// Each normal is the mean m of n members and s sqrt(n / (n + 1)), s their standard deviation (ddof
/// 1): the update of a normal-inverse-gamma prior of weight one, centred on the members' own
/// moments. It is at least `least_sd`.
///
/// Where a cluster has fewer than two members: controls against a random half of the diseased.
///
/// Source of the recipe: the published SA-EBM program, by a description (README of
/// ../methods/sa_ebm).
/// @param values    [n] none NaN, not all equal
/// @param diseased  [n] at least two of each kind
TwoMeans two_means(std::span<const double> values, const std::vector<bool>& diseased,
                   double least_sd, RandomStream& stream);

}  // namespace tempo::toolkit
