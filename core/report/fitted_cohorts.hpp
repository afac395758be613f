#pragma once

#include <string>
#include <vector>

#include "engine/store.hpp"
#include "report/analysis.hpp"

namespace tempo {

/// What of fits a reader wants beside their scores, times and warnings: the rest is not even parsed.
struct WantedOfFits {
  bool stages = false;
  bool posteriors = false;        ///< of ranks and times
  bool stage_posteriors = false;  ///< [J, B + 1] each
  bool replicates = false;
};
/// What a table of the analysis looks at.
WantedOfFits wanted_for(const std::string& analysis_table);

/// The real cohorts of a run with their fits that came to something; those that are still to be made
/// or have failed are counted. Replicates go to the fit that they are replicates of.
std::vector<FittedCohort> fitted_cohorts(Store& store, const WantedOfFits& wanted);

/// Keeps the fits of these methods, or with these names as tables have them (`tempo on h8`).
/// @return what is neither, in the order given
std::vector<std::string> keep_fits(const std::vector<std::string>& wanted,
                                   std::vector<FittedCohort>& cohorts);

}  // namespace tempo
