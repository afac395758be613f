// What both shells' completion has in common.

#include <algorithm>

#include "cli/help.hpp"

namespace tempo::cli {

Completed completed_as(std::string_view value, const std::vector<std::string>& choices) {
  if (!choices.empty()) return Completed::words;
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), value) != names.end();
  };
  if (is_one_of({"FOLDER", "RUN"})) return Completed::folders;
  if (is_one_of({"EXPERIMENT", "FILE.toml", "TABLE"})) return Completed::experiments;
  if (is_one_of({"COHORT", "NEW"})) return Completed::cohorts;
  if (is_one_of({"FILE", "FILE.csv", "MODEL", "FROM", "T"})) return Completed::files;
  return Completed::nothing;
}

}  // namespace tempo::cli
