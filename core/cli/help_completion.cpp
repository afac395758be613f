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
  if (is_one_of({"FILE", "FILE.csv", "MODEL", "MODEL|METHOD", "FROM", "T"}))
    return Completed::files;
  if (is_one_of({"ID"})) return Completed::plugins;
  if (is_one_of({"METHOD"})) return Completed::methods;
  if (is_one_of({"H"})) return Completed::hypotheses;
  if (is_one_of({"H,H,..."})) return Completed::lists_of_hypotheses;
  return Completed::nothing;
}

// A line of the list: | `h3` | hypothesis | what it is |
const char* const kPrintIds =
    "plugins list --format markdown 2>/dev/null | sed -n \"s/^| \\`\\([^\\`]*\\)\\` | $1 |.*/\\1/p\"";

const char* kind_pattern(Completed completed) {
  if (completed == Completed::plugins) return "[^|]*";
  return completed == Completed::methods ? "[^|]*method" : "hypothesis";
}

}  // namespace tempo::cli
