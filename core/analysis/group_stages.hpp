#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/fitted_cohorts.hpp"
#include "analysis/spread.hpp"

namespace tempo {

/// Stages of diagnosis groups in one fit.
struct GroupStages {
  std::vector<std::optional<Spread>> groups;     ///< by group; absent where a group has no members
  std::vector<std::vector<std::size_t>> counts;  ///< [group][stage 0..B], half stages to even
  /// Every group's mean is above the one before. Groups whose stage the label tells (the healthy,
  /// by some methods) are not compared: they cannot rise. Absent where the order of groups is not
  /// known, or fewer than two are left that have members.
  std::optional<bool> rises;
};
std::vector<GroupStages> group_stages(const FittedCohort& cohort);  ///< per fit

/// [groups] spread of the groups' means over the fits that count (counted_fits); absent where a
/// group has no members.
std::vector<std::optional<Spread>> group_means(const FittedCohort& cohort,
                                               const std::vector<GroupStages>& of_fits);

}  // namespace tempo
