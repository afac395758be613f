#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/cohort_table.hpp"

namespace tempo {

/// Numbers of a group of participants, those that are missing apart.
struct NumberSummary {
  double mean = 0.0;
  std::optional<double> sd;  ///< n - 1 in it; absent for fewer than two
  double lower_quartile = 0.0, median = 0.0, upper_quartile = 0.0;  ///< interpolated
};

/// How many of a group have a level.
struct LevelCount {
  std::size_t count = 0;
  double share = 0.0;  ///< of those whose level is not missing
};

/// What a column says of one group.
struct BaselineCell {
  std::size_t missing = 0;
  std::optional<NumberSummary> numbers;  ///< absent where no number is there, and of levels
  std::vector<LevelCount> levels;        ///< by BaselineColumn::levels
};

struct BaselineColumn {
  std::string name;
  std::vector<std::string> levels;   ///< by name, numbers by size; empty of a column of numbers
  std::vector<BaselineCell> groups;  ///< by BaselineTable::groups
};

/// Who the participants of a cohort are: by diagnosis, and all together.
struct BaselineTable {
  struct Group {
    std::string name;
    std::size_t participants = 0;
  };
  std::vector<Group> groups;  ///< diagnoses, then all
  std::vector<BaselineColumn> columns;
};

/// A column of numbers of which there are fewer different ones is one of levels, such as a sex that
/// is written 1 and 2.
inline constexpr std::size_t kLeastNumbers = 3;

/// @param table   with described columns
/// @param groups  diagnoses in the order in which they are shown; others follow by name
BaselineTable baseline_table(const CohortTable& table, const std::vector<std::string>& groups);

}  // namespace tempo
