#include "subtype_model.hpp"

#include <cassert>

#include "gradual_subtypes.hpp"
#include "parameter_sampler.hpp"
#include "subtype_stages.hpp"
#include "switch_evidence.hpp"
#include "switch_subtypes.hpp"

namespace tempo::bayes {

bool is_switch_between_events(const ProcessLaw& process) {
  const auto& times = process.event_times();
  return process.measurement_model().law()->effect() == EventEffect::switched &&
         times.noise_sd() == 0.0 &&
         (times.are_ranks() || process.stage_prior().continuous_law() != nullptr);
}

std::unique_ptr<SubtypeModel> subtype_model(const ProcessLaw& process, const Cohort& cohort,
                                            std::span<const std::size_t> columns,
                                            std::span<const std::size_t> diseased,
                                            const BiomarkerEstimates& estimates) {
  assert(estimates.empty() || is_switch_between_events(process));
  if (!is_switch_between_events(process))
    return std::make_unique<GradualSubtypes>(process, cohort, columns, diseased);
  return std::make_unique<SwitchSubtypes>(
      switch_evidence(*process.measurement_model().law(), cohort, columns, diseased),
      parameter_sampler(process, estimates, cohort.participant_count() - diseased.size(),
                        diseased.size()),
      draw_stages_of(process), diseased);
}

}  // namespace tempo::bayes
