#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/estimated_biomarkers.hpp"
#include "report/table.hpp"
#include "tempo/cohort.hpp"

namespace tempo {

/// How a plot is drawn.
struct PlotStyle {
  std::size_t width = 80;  ///< columns, at least kLeastWidth
  bool ascii = false;      ///< no signs but those of ASCII
  static constexpr std::size_t kLeastWidth = 50;
};

/// For each biomarker the healthy and the diseased side by side, a line per bin of values: a bar
/// for the share of the group whose value is in the bin, and where the fit has it end: `o` what is
/// before the event, `x` what is after it. Both sides have one scale; the first and last bin are
/// open.
/// @param estimated  of the cohort's biomarkers, in its order
std::string plot(const std::vector<EstimatedBiomarker>& estimated, const Cohort& cohort,
                 const PlotStyle& style);

/// The same for other programs, densities per unit of the biomarker at the middles of 50 equal bins
/// from the least to the largest value.
struct DensityPoint {
  std::string biomarker;
  double value = 0.0;
  double pre_event = 0.0;          ///< the fitted distribution before the event
  double post_event = 0.0;         ///< after it
  double diseased = 0.0;           ///< the mixture of both that describes the diseased
  double healthy_observed = 0.0;   ///< histogram of the healthy
  double diseased_observed = 0.0;  ///< histogram of the diseased
};
std::vector<DensityPoint> densities(const std::vector<EstimatedBiomarker>& estimated,
                                    const Cohort& cohort);
/// For programs: columns named as above; JSON has a list of biomarkers with a list per column.
Table density_table(const std::vector<DensityPoint>& points);

}  // namespace tempo
