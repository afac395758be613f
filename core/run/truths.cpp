#include "run/truths.hpp"

namespace tempo {

StoredTruth stored_truth(const std::string& key, const SimulatedCohort& cohort) {
  const auto& [all, truth] = cohort;
  StoredTruth out{key, {{all.participants, all.biomarkers, {}, all.diseased, {}}, {}}};
  auto& kept = out.cohort.truth;
  kept.event_times = truth.event_times;
  kept.event_ranks = truth.event_ranks;
  kept.ordinal_stages = truth.ordinal_stages;
  kept.subtypes = truth.subtypes;
  return out;
}

bool Truths::asks(const PlannedFit& fit) {
  if (fit.id.is_real()) return false;
  const std::lock_guard lock(mutex_);
  return known_.insert(fit.cohort_key).second;
}

void Truths::take_from(FitRecord& record, const PlannedFit& fit) {
  const std::lock_guard lock(mutex_);
  if (record.truth)
    found_.push_back(*std::exchange(record.truth, std::nullopt));
  else
    known_.erase(fit.cohort_key);
}

std::vector<StoredTruth> Truths::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(found_, {});
}

}  // namespace tempo
