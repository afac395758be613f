#pragma once

#include <string>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/matrix.hpp"

namespace tempo::toolkit {

struct RepairedRelabelling {
  Matrix log_ratios;  ///< log(post / pre) [J, B], NaN where missing
  long refits = 0;    ///< of a biomarker's two densities, all together
  std::vector<std::string> warnings;
};

/// What the published relabelling is after, per biomarker: a value from which on the diseased are
/// post-event, such that each state's kernel density fits its own members:
/// plugins/methods/ucl_kde/README.md.
///
/// On standardised values, sorted; nothing depends on units, sign, or the order of rows or columns.
/// A biomarker of which neither group has the larger values does not count (log ratio 0), and a
/// warning names it.
/// @throws NumericError naming the biomarker, as values_of.
RepairedRelabelling relabel_as_meant(const Cohort& cohort, long max_iterations);

}  // namespace tempo::toolkit
