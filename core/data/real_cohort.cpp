#include "data/real_cohort.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/cohort_csv.hpp"
#include "data/table_description.hpp"

namespace tempo {

CohortSize size_like(const Cohort& cohort) {
  constexpr double kDigits = 1e9;
  const auto J = static_cast<double>(cohort.participant_count());
  const auto healthy = static_cast<double>(
      std::count(cohort.diseased.begin(), cohort.diseased.end(), std::uint8_t{0}));
  // Rounded up: floor(J r) is the number of healthy.
  return {cohort.participant_count(), std::ceil(healthy / J * kDigits) / kDigits};
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
  auto read = read_cohort_csv(path, problems);
  if (problems.size() > before) return out;
  out.table.flow.push_back({"in the table", read.cohort.participant_count()});
  if (const auto total = read.missing.total(); total > 0)
    out.table.notes.push_back(fmt::format("{} missing measurements were left empty", total));
  out.table.cohort = std::move(read.cohort);
  out.table.rows = read.rows;
  out.table.missing = std::move(read.missing);
  return out;
}

}  // namespace tempo
