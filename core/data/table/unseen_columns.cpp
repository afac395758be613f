#include "data/table/unseen_columns.hpp"

#include <algorithm>
#include <set>

namespace tempo {
namespace {

/// Whether the values of a column are looked at anyway, as a biomarker or a covariate.
bool is_seen(const std::string& column, const TableInput& input,
             const std::vector<BiomarkerSource>& biomarkers) {
  const auto& covariates = input.description.covariates;
  return std::any_of(covariates.begin(), covariates.end(),
                     [&](const auto& covariate) { return covariate.text == column; }) ||
         std::any_of(biomarkers.begin(), biomarkers.end(),
                     [&](const auto& biomarker) { return biomarker.name == column; });
}

}  // namespace

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

  std::vector<std::size_t> described;
  for (std::size_t d = 0; d < description.described.size(); ++d)
    if (!is_seen(description.described[d].text, input, biomarkers)) described.push_back(d);

  Cohort out;
  for (const auto s : sources) out.biomarkers.push_back(table.sources.names[s]);
  for (const auto c : covariates) out.biomarkers.push_back(description.covariates[c].text);
  for (const auto d : described) out.biomarkers.push_back(description.described[d].text);
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
    const auto take = [&](const std::string& text) {
      const auto number = numbers.read_finite(text);
      if (number && !numbers.is_missing(*number)) out.measurements(j, b) = *number;
      ++b;
    };
    for (const auto c : covariates) take(visit.covariates[c]);
    for (const auto d : described) take(visit.described[d]);
  }
  return out;
}

}  // namespace tempo
