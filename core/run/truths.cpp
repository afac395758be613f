#include "run/truths.hpp"

#include <exception>
#include <utility>

#include "run/cohort_source.hpp"

namespace tempo {

void Truths::note(const PlannedFit& fit, const SimulatedCohort& cohort) {
  if (fit.id.is_real()) return;
  const std::lock_guard lock(mutex_);
  if (!known_.insert(fit.cohort_key).second) return;
  const auto& [all, truth] = cohort;
  found_.push_back(
      {fit.cohort_key, {{all.participants, all.biomarkers, {}, all.diseased, {}}, {}}});
  auto& kept = found_.back().cohort.truth;
  kept.event_times = truth.event_times;
  kept.event_ranks = truth.event_ranks;
  kept.ordinal_stages = truth.ordinal_stages;
}

std::vector<StoredTruth> Truths::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(found_, {});
}

void keep_missing_truths(const Study& study, const Plan& plan, const RunOptions& options,
                         Store& store) {
  auto known = store.known_truths();
  Truths truths(known);
  CohortSource source(study, plan, /*keep=*/1);
  std::size_t made = 0;
  for (std::size_t position = 0; position < plan.fits.size(); ++position) {
    const auto& fit = plan.fits[position];
    if (options.stop != nullptr && *options.stop) break;
    if (fit.id.is_real() || !options.shard.has_fit(plan, position) ||
        !known.insert(fit.cohort_key).second)
      continue;
    try {
      truths.note(fit, *source.get(plan.tasks[position]));
    } catch (const std::exception&) {
      continue;
    }
    constexpr std::size_t kAtOnce = 256;
    if (++made % kAtOnce == 0) store.add_truths(truths.take());
  }
  store.add_truths(truths.take());
}

}  // namespace tempo
