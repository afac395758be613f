#include "study/experiment.hpp"

#include <algorithm>

#include "results/fit_id.hpp"

namespace tempo {

std::string_view to_string(ColumnOrder order) {
  switch (order) {
    case ColumnOrder::random:
      return "random";
    case ColumnOrder::alphabetical:
      return "alphabetical";
    case ColumnOrder::truth:
      return "truth";
  }
  return "unknown";
}

bool MethodEntry::is_for(std::size_t hypothesis) const {
  return !hypotheses ||
         std::find(hypotheses->begin(), hypotheses->end(), hypothesis) != hypotheses->end();
}

const Simulation* Experiment::simulation() const {
  if (const auto* simulated = std::get_if<SimulatedCohorts>(&cohorts))
    return &simulated->simulation;
  const auto& beside = real_cohort() != nullptr ? real_cohort()->simulation : folder()->simulation;
  return beside ? &*beside : nullptr;
}

std::string Experiment::name_of(const CohortGroup& group) const {
  return group.is_real() ? kRealCohort : hypotheses[*group.hypothesis].id;
}

std::size_t Experiment::fits_per_cohort(const MethodEntry& method) const {
  if (method.trains()) return method.models.size();
  return has_real_cohort() && method.assumes_matching() ? hypotheses.size() : 1;
}

std::string limit_of(const Study& study) {
  const auto& methods = study.points.front().methods;
  const auto limit = std::find_if(methods.begin(), methods.end(), [](const MethodEntry& entry) {
    return entry.assumes_matching() &&
           entry.distributions.value_or(Distributions::known) == Distributions::known;
  });
  const bool has_truth = !study.points.front().has_real_cohort();
  return !has_truth || limit == methods.end() || methods.size() < 2 ? "" : limit->id;
}

}  // namespace tempo
