#include "data/table/unseen_columns.hpp"

#include <set>

namespace tempo {

Cohort unseen_columns(const VisitTable& table, const TableInput& input, const TableNumbers& numbers,
                      const Selection& selection, const std::vector<BiomarkerSource>& biomarkers) {
  std::set<std::size_t> sources;
  for (const auto& biomarker : biomarkers)
    if (biomarker.over != kNone || biomarker.takes_log) {
      sources.insert(biomarker.column);
      if (biomarker.over != kNone) sources.insert(biomarker.over);
    }
  const auto& description = input.description;
  std::vector<std::size_t> covariates;
  for (std::size_t c = 0; c < description.covariates.size(); ++c)
    if (!description.levels.contains(description.covariates[c].text)) covariates.push_back(c);

  Cohort out;
  for (const auto s : sources) out.biomarkers.push_back(table.sources.names[s]);
  for (const auto c : covariates) out.biomarkers.push_back(description.covariates[c].text);
  out.diseased = selection.diseased;
  out.diagnoses = selection.diagnoses;
  out.measurements = Matrix(selection.visits.size(), out.biomarkers.size(), kMissingValue);
  for (std::size_t j = 0; j < selection.visits.size(); ++j) {
    const auto& visit = table.visits[selection.visits[j]];
    out.participants.push_back(table.id(visit));
    std::size_t b = 0;
    for (const auto s : sources) {
      if (s < visit.cells.size()) out.measurements(j, b) = visit.cells[s];
      ++b;
    }
    for (const auto c : covariates) {
      const auto number = numbers.read_finite(visit.covariates[c]);
      if (number && !numbers.is_missing(*number)) out.measurements(j, b) = *number;
      ++b;
    }
  }
  return out;
}

}  // namespace tempo
