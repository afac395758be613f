#include "run/inference_details.hpp"

#include "model/told_stage.hpp"

namespace tempo {
namespace {

Calibration rank_calibration(const Matrix& posterior, const Truth& truth) {
  Calibration out;
  for (std::size_t b = 0; b < posterior.rows(); ++b)
    out.add(posterior.row(b), truth.event_ranks[b] - 1);
  return out;
}

Calibration stage_calibration(const Matrix& posterior, const SimulatedCohort& cohort,
                              LabelUse labels) {
  Calibration out;
  const auto& [of_cohort, truth] = cohort;
  for (std::size_t j = 0; j < posterior.rows(); ++j) {
    if (is_told_stage(labels, of_cohort, j)) continue;
    out.add(posterior.row(j), static_cast<std::size_t>(truth.ordinal_stages[j]));
  }
  return out;
}

}  // namespace

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
  if (kept.names && inference.rank_posterior)
    out.rank_calibration = rank_calibration(*inference.rank_posterior, cohort.truth);
  if (kept.names && inference.stage_posterior)
    out.stage_calibration = stage_calibration(*inference.stage_posterior, cohort, kept.labels);
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
