#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/cohort_table.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// A cohort of real participants: its order of events, its stages and its hypothesis are unknown.
struct RealCohort {
  CohortTable table;
  std::vector<std::filesystem::path> files;  ///< that it was read from
  std::vector<std::string> groups;  ///< diagnoses as a description lists them, the healthy first
};

/// Reads what a path names: the description of a clinic's table (`.toml`, as `tempo import` takes
/// it), or a long CSV. Faults as read_table_description, read_cohort_table and read_cohort_csv
/// report them; a result with faults has no participants.
RealCohort read_real_cohort(const std::filesystem::path& path, Problems& problems);

/// New participants that are compared with an earlier cohort, from a described table (as
/// read_later_table) or a long CSV.
struct LaterParticipants {
  CohortTable table;
  std::vector<std::filesystem::path> files;  ///< that it was read from
  bool means_asked = false;     ///< the description puts means where values are missing
  bool marginal_asked = false;  ///< the description leaves missing values to the method
  bool adjusts = false;         ///< the description adjusts for covariates
};
/// @param adjustment  of the earlier cohort
LaterParticipants read_later_participants(const std::filesystem::path& path, Labels labels,
                                          const Adjustment& adjustment, Problems& problems);

/// The size of simulated cohorts with as many participants and as many healthy ones as this cohort
/// has. Its ratio has nine digits, so that it is the same when it has been written and read.
/// @param cohort  with labels and a diseased participant
CohortSize size_like(const Cohort& cohort);

}  // namespace tempo
