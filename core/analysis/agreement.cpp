#include "analysis/agreement.hpp"

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

}  // namespace tempo
