#include "data/real_cohort.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "data/cohort_csv.hpp"
#include "data/table/missing_policy.hpp"
#include "data/table/oddities.hpp"
#include "data/table_description.hpp"

namespace tempo {

CohortSize size_like(const Cohort& cohort) {
  constexpr double kDigits = 1e9;
  const auto J = static_cast<double>(cohort.participant_count());
  const auto healthy = static_cast<double>(
      std::count(cohort.diseased.begin(), cohort.diseased.end(), std::uint8_t{0}));
  // Rounded up, so that floor(J r) is the number of healthy participants.
  return {cohort.participant_count(), std::ceil(healthy / J * kDigits) / kDigits};
}

namespace {

/// A long CSV as a table of which nothing was left out.
CohortTable table_of(CohortFile read) {
  CohortTable out;
  out.flow.push_back({"in the table", read.cohort.participant_count()});
  note_left_empty(read.missing, out.notes);
  auto codes = possible_codes(read.cohort, kCodesAreLeftEmpty);
  std::move(codes.begin(), codes.end(), std::back_inserter(out.notes));
  out.cohort = std::move(read.cohort);
  out.rows = read.rows;
  out.missing = std::move(read.missing);
  return out;
}

}  // namespace

LaterParticipants read_later_participants(const std::filesystem::path& path, Labels labels,
                                          const Adjustment& adjustment, Problems& problems) {
  LaterParticipants out;
  out.files.push_back(path);
  const auto before = problems.size();
  if (path.extension() != ".toml") {
    out.table = table_of(read_cohort_csv(path, problems, labels));
    // They say that values are missing; a method that cannot do without them says so itself.
    out.table.notes.clear();
    return out;
  }
  const auto description = read_table_description(path, problems, labels);
  if (problems.size() > before) return out;
  out.files.push_back(description.file);
  out.means_asked = description.missing == TableDescription::Missing::mean;
  out.marginal_asked = description.missing == TableDescription::Missing::marginal;
  out.adjusts = !description.covariates.empty();
  out.table = read_later_table(description, labels, adjustment, problems);
  return out;
}

RealCohort read_real_cohort(const std::filesystem::path& path, Problems& problems) {
  RealCohort out;
  out.files.push_back(path);
  const auto before = problems.size();
  if (path.extension() == ".toml") {
    const auto description = read_table_description(path, problems);
    if (problems.size() > before) return out;
    out.files.push_back(description.file);
    for (const auto* labels : {&description.healthy, &description.diseased})
      for (const auto& label : *labels) out.groups.push_back(label.text);
    out.table = read_cohort_table(description, problems);
    return out;
  }
  out.table = table_of(read_cohort_csv(path, problems));
  return out;
}

}  // namespace tempo
