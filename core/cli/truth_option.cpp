#include "cli/truth_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <unordered_set>

#include "data/names.hpp"
#include "data/public_cohorts.hpp"

namespace tempo::cli {
namespace {

void check_biomarkers(const FittedCohort& cohort, const std::string& file, Problems& problems) {
  const auto& known = cohort.truth->biomarkers;
  std::vector<std::string> unknown;
  std::copy_if(
      cohort.biomarkers.begin(), cohort.biomarkers.end(), std::back_inserter(unknown),
      [&](const auto& name) { return !std::binary_search(known.begin(), known.end(), name); });
  if (!unknown.empty())
    problems.add({file}, fmt::format("knows nothing of {}, biomarkers of {}: it is the truth of "
                                     "another cohort",
                                     fmt::join(unknown, ", "), cohort.name));
}

void check_participants(const FittedCohort& cohort, const std::string& file, Problems& problems) {
  const std::unordered_set<std::string_view> known(cohort.truth->participants.begin(),
                                                   cohort.truth->participants.end());
  std::vector<std::string> unknown;
  std::copy_if(cohort.participants.begin(), cohort.participants.end(), std::back_inserter(unknown),
               [&](const auto& id) { return !known.contains(id); });
  if (!unknown.empty())
    problems.add({file}, fmt::format("knows nothing of {} of {} participants of {} ({}): it is the "
                                     "truth of another cohort",
                                     unknown.size(), cohort.participants.size(), cohort.name,
                                     in_short(unknown)));
}

}  // namespace

void add_truth(const std::string& file, std::vector<FittedCohort>& cohorts) {
  Problems problems;
  for (auto& cohort : cohorts) {
    cohort.truth = read_truth(file, std::filesystem::path(cohort.name).stem().string(), problems);
    problems.throw_if_any();
    check_biomarkers(cohort, file, problems);
    check_participants(cohort, file, problems);
    problems.throw_if_any();
  }
}

}  // namespace tempo::cli
