#include "run/real_cohorts.hpp"

#include <map>

#include "data/estimated_biomarkers.hpp"

namespace tempo {

std::vector<StoredCohort> stored_cohorts(const Study& study) {
  std::vector<StoredCohort> out;
  // Points of a sweep share a cohort, and what does not separate in it.
  std::map<const RealCohort*, std::optional<std::vector<std::string>>> estimated;
  for (const auto& point : study.points) {
    const auto* real = point.real_cohort();
    if (real == nullptr) continue;
    const auto& cohort = real->real->table.cohort;
    StoredCohort stored{.axis_values = point.axis_values,
                        .name = real->named,
                        .participants = cohort.participants,
                        .diseased = cohort.diseased,
                        .diagnoses = cohort.diagnoses,
                        .groups = real->real->groups,
                        .biomarkers = cohort.biomarkers,
                        .intake = real->intake,
                        .not_separating = real->not_separating,
                        .covariates = real->real->table.covariates};
    if (!stored.not_separating) {
      const auto [at, is_new] = estimated.try_emplace(real->real.get());
      if (is_new) at->second = not_separating(cohort);
      stored.not_separating = at->second;
    }
    out.push_back(std::move(stored));
  }
  return out;
}

std::optional<CohortContent> cohort_content(const Study& study) {
  const auto* real = study.points.front().real_cohort();
  if (study.points.size() != 1 || real == nullptr) return std::nullopt;
  return CohortContent{real->content, real->real->table.cohort, real->real->table.adjustment,
                       real->simulation ? real->simulation->biomarkers : BiomarkerTable()};
}

}  // namespace tempo
