#pragma once

// The cohorts with a truth that tempo score scores against: those of a folder, or those of a run.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/found_json.hpp"
#include "tempo/cohort.hpp"
#include "tempo/problem.hpp"

namespace tempo::cli {

/// A cohort that somebody found something in.
struct ScoredCohort {
  std::string name;  ///< for messages
  /// The points of the sweep that it stands at, by their values: several where they differ in
  /// methods alone; of a run without a sweep, and of a folder, one without values.
  std::vector<std::vector<std::string>> points;
  std::string hypothesis;
  std::size_t number = 0;
  SimulatedCohort cohort;  ///< that of a run has no measurements
};

class ScoredCohorts {
 public:
  virtual ~ScoredCohorts() = default;
  /// The swept settings.
  virtual const std::vector<std::string>& axes() const = 0;
  /// Methods that the cohorts have scores of already.
  virtual const std::vector<std::string>& methods() const = 0;
  /// The cohort that an entry is about. Absent, and a problem, if there is none, if several could
  /// be meant, or if its truth cannot be had.
  virtual std::optional<ScoredCohort> find(const FoundEntry& entry, Problems& problems) = 0;
};

/// The cohorts of a run folder or, where there is no store in it, of a folder in the public layout.
std::unique_ptr<ScoredCohorts> scored_cohorts(const std::filesystem::path& folder,
                                              Problems& problems);

}  // namespace tempo::cli
