#include "cli/cohort_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "model/printable.hpp"

namespace tempo::cli {

Cohort with_biomarkers(const Cohort& cohort, const std::vector<std::string>& biomarkers) {
  auto out = cohort;
  out.biomarkers = biomarkers;
  out.measurements = Matrix(cohort.participant_count(), biomarkers.size(), std::nan(""));
  for (std::size_t b = 0; b < biomarkers.size(); ++b) {
    const auto at = std::find(cohort.biomarkers.begin(), cohort.biomarkers.end(), biomarkers[b]);
    if (at == cohort.biomarkers.end()) continue;
    const auto column = static_cast<std::size_t>(at - cohort.biomarkers.begin());
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      out.measurements(j, b) = cohort.measurements(j, column);
  }
  return out;
}

void note_unknown(const Cohort& cohort, const std::vector<std::string>& biomarkers,
                  const std::string& file, const std::string& whose) {
  for (const auto& name : find_columns(cohort, biomarkers).unknown) {
    const auto note = fmt::format("note: {}: '{}' is none of the biomarkers of {}, and is left out",
                                  file, name, whose);
    std::cerr << printable(note, "") << "\n";
  }
}

void expect_biomarkers(const Cohort& cohort, const std::vector<std::string>& biomarkers,
                       const std::string& file, const std::string& whose, const std::string& hint,
                       Problems& problems) {
  if (const auto missing = find_columns(cohort, biomarkers).missing; !missing.empty())
    problems.add(
        {file}, fmt::format("lacks biomarkers of {}: {}{}", whose, fmt::join(missing, ", "), hint));
}

}  // namespace tempo::cli
