#include "run/inference_details.hpp"

namespace tempo {

FitDetails details_of(const Inference& inference, const SimulatedCohort& cohort,
                      const KeptDetails& kept) {
  FitDetails out;
  const auto& biomarkers = cohort.cohort.biomarkers;
  if (kept.names) {
    out.biomarkers = biomarkers;
    out.participants = cohort.cohort.participants;
    const auto& ranks = cohort.truth.event_ranks;
    out.true_ranks.assign(ranks.begin(), ranks.end());
  }
  out.event_scores = inference.event_scores;
  out.event_times = inference.event_times;
  if (!kept.all) return out;
  out.stages = inference.stages;
  out.event_time_spreads = inference.event_time_spreads;
  out.rank_posterior = inference.rank_posterior;
  if (kept.stage_posterior) out.stage_posterior = inference.stage_posterior;
  out.evidence = inference.evidence;
  out.chains = inference.chains;
  out.diagnostics = inference.diagnostics;
  out.subtypes = inference.subtypes;
  out.log_likelihood_trace = inference.log_likelihood_trace;
  for (const auto& check : inference.checks)
    out.checks.push_back({biomarkers[check.biomarker], check.diseased, check.statistic,
                          check.observed, check.mean, check.sd, check.p});
  return out;
}

}  // namespace tempo
