#include "analysis/agreement.hpp"

#include <algorithm>

#include "analysis/consensus.hpp"

namespace tempo {

std::vector<Agreement> agreement(const FittedCohort& cohort) {
  const auto diseased = diseased_of(cohort);
  std::vector<std::vector<double>> stages;
  for (const auto& fit : cohort.fits) stages.push_back(selected(fit.stages, diseased));
  std::vector<Agreement> out;
  for (std::size_t i = 0; i < cohort.fits.size(); ++i)
    for (std::size_t k = i + 1; k < cohort.fits.size(); ++k) {
      const auto &a = cohort.fits[i], &b = cohort.fits[k];
      out.push_back({i, k, kendall_tau(a.event_scores, b.event_scores),
                     spearman(stages[i], stages[k]), absolute_agreement(stages[i], stages[k])});
    }
  return out;
}

namespace {

const RunDescription::Method* method_of(const CohortFit& fit, const RunDescription& description) {
  const auto& methods = description.methods;
  const auto at =
      std::find_if(methods.begin(), methods.end(),
                   [&](const RunDescription::Method& one) { return one.id == fit.method; });
  return at == methods.end() ? nullptr : &*at;
}

}  // namespace

std::vector<SettingsDisagreement> settings_disagreements(const FittedCohort& cohort,
                                                         const RunDescription& description) {
  std::vector<SettingsDisagreement> out;
  for (std::size_t i = 0; i < cohort.fits.size(); ++i)
    for (std::size_t k = i + 1; k < cohort.fits.size(); ++k) {
      const auto &a = cohort.fits[i], &b = cohort.fits[k];
      const auto *of_a = method_of(a, description), *of_b = method_of(b, description);
      if (of_a == nullptr || of_b == nullptr || of_a == of_b || of_a->plugin != of_b->plugin ||
          a.rests_on() != b.rests_on())
        continue;
      if (const double distance = order_distance(a.event_scores, b.event_scores);
          distance > kMostAgreeing)
        out.push_back({a.name(), b.name(), differing_settings(*of_a, *of_b), distance});
    }
  return out;
}

}  // namespace tempo
