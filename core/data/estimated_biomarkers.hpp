#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/event_mixture.hpp"

namespace tempo {

/// |mean after - mean before| over the root mean square of the two sds.
double distance_in_sds(const Normal& before, const Normal& after);
/// A biomarker of a smaller distance tells nothing about a participant's state.
inline constexpr double kLeastDistance = 0.5;

/// The distributions of a cohort's biomarker before and after its event, and how far to trust them.
struct EstimatedBiomarker {
  std::string name;
  EventMixture mixture;
  std::size_t healthy = 0;   ///< values, missing ones not counted
  std::size_t diseased = 0;  ///< values
  double distance = 0.0;     ///< distance_in_sds
  std::string warning;       ///< a sentence; empty: the biomarker separates
  /// What makes the distributions doubtful besides: values that were left out, or few different
  /// ones; a sentence each.
  std::vector<std::string> doubts = {};
};

/// Fits each biomarker on its own (fit_event_mixture). Missing values are skipped, and so are gross
/// errors (gross_errors.hpp), of which a doubt tells.
///
/// A biomarker does not separate, and gets a warning, where one normal for all participants does as
/// well by the Bayesian information criterion (evidence < 3/2 log n nats for the three additional
/// parameters), where the two distributions almost coincide (distance < 1/2), or where fewer than
/// five of the diseased are estimated to be after the event. None of these depends on the
/// biomarker's unit or sign.
///
/// @param cohort  with labels
/// @param faults  gets a sentence per biomarker that cannot be estimated; the result is empty then
std::vector<EstimatedBiomarker> estimate_biomarkers(const Cohort& cohort, HealthyAre healthy_are,
                                                    std::vector<std::string>& faults);

/// The names of biomarkers with a warning.
std::vector<std::string> not_separating(const std::vector<EstimatedBiomarker>& estimated);

/// The same for a cohort whose biomarkers cannot all be estimated. A constant does not separate,
/// nor does a biomarker with fewer than two values in a group. Absent where none can be estimated,
/// as in a cohort without healthy participants.
/// @param cohort  with labels
std::optional<std::vector<std::string>> not_separating(const Cohort& cohort);

/// The warning, if there is one, and the doubts.
std::vector<std::string> doubts_of(const EstimatedBiomarker& found);

/// The distributions alone.
BiomarkerTable table_of(const std::vector<EstimatedBiomarker>& estimated);

/// Describes them: a table and a line per warning; lines end in a line feed.
std::string report(const std::vector<EstimatedBiomarker>& estimated);

}  // namespace tempo
