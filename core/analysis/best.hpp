#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tempo {

/// A cohort among those that are compared: its hypothesis and number.
using CohortName = std::pair<std::string, std::size_t>;
/// What a method scored on each cohort; lower is better.
using CohortScores = std::map<CohortName, double>;

/// Which methods are best on the same cohorts: those with the lowest mean, and those that cannot
/// be told from these, since the 95 % interval (Student's t) of the difference on the same cohorts
/// holds 0. Compared are the methods that scored the most cohorts: others had an easier or a harder
/// task. Nothing is best where nothing can be told: fewer than two methods or three cohorts, or no
/// method is worse than the best.
/// @param methods  those that do not compete are empty
std::vector<bool> best_of(const std::vector<CohortScores>& methods);

}  // namespace tempo
