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
/// A smaller distance says nothing of anybody's state.
inline constexpr double kLeastDistance = 0.5;

/// One biomarker of a cohort, its distributions before and after its event, and how far to trust
/// them.
struct EstimatedBiomarker {
  std::string name;
  EventMixture mixture;
  std::size_t healthy = 0;   ///< values, missing ones not counted
  std::size_t diseased = 0;  ///< values
  double distance = 0.0;     ///< distance_in_sds
  std::string warning;       ///< a sentence; empty: the biomarker separates
};

/// Fits each biomarker by itself (fit_event_mixture); missing values are left out.
///
/// A biomarker does not separate, and is warned about, where one normal for everybody does as well
/// by the Bayesian information criterion (evidence < 3/2 log n nats for the three parameters more),
/// where the two distributions all but coincide (distance < 1/2), or where fewer than five of the
/// diseased are taken to be after the event. None of these depends on the biomarker's unit or sign.
///
/// @param cohort  with labels
/// @param faults  gets a sentence per biomarker that cannot be estimated; the result is empty then
std::vector<EstimatedBiomarker> estimate_biomarkers(const Cohort& cohort, HealthyAre healthy_are,
                                                    std::vector<std::string>& faults);

/// The names of those that are warned about.
std::vector<std::string> not_separating(const std::vector<EstimatedBiomarker>& estimated);

/// The same of a cohort whose biomarkers cannot all be estimated: a constant separates nobody, nor
/// does one with fewer than two values in a group. Absent where none can be estimated, as where
/// nobody is healthy.
/// @param cohort  with labels
std::optional<std::vector<std::string>> not_separating(const Cohort& cohort);

/// The distributions alone.
BiomarkerTable table_of(const std::vector<EstimatedBiomarker>& estimated);

/// A table of them and a line per warning; lines end in a line feed.
std::string report(const std::vector<EstimatedBiomarker>& estimated);

}  // namespace tempo
