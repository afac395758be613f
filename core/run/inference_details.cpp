#include "run/inference_details.hpp"

namespace tempo {
namespace {

/// Takes named numbers out of a method's diagnostics.
class Diagnostics {
 public:
  explicit Diagnostics(std::map<std::string, double> numbers) : numbers_(std::move(numbers)) {}

  bool has(const char* name) const { return numbers_.contains(name); }
  double take(const char* name, double if_absent) {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) return if_absent;
    const double number = found->second;
    numbers_.erase(found);
    return number;
  }
  std::size_t take_count(const char* name) { return static_cast<std::size_t>(take(name, 0.0)); }
  std::map<std::string, double> rest() { return std::move(numbers_); }

 private:
  std::map<std::string, double> numbers_;
};

std::optional<ChainAgreement> take_chains(Diagnostics& numbers) {
  if (!numbers.has("r_hat")) return std::nullopt;
  ChainAgreement out;
  out.r_hat = numbers.take("r_hat", 1.0);
  out.effective_samples = numbers.take("effective_samples", 0.0);
  out.r_hat_log_likelihood = numbers.take("r_hat_log_likelihood", 1.0);
  out.effective_samples_log_likelihood = numbers.take("effective_samples_log_likelihood", 0.0);
  if (numbers.has("r_hat_traits")) out.r_hat_traits = numbers.take("r_hat_traits", 1.0);
  return out;
}

std::optional<Evidence> take_evidence(const Inference& inference, Diagnostics& numbers) {
  if (!inference.log_scores) return std::nullopt;
  Evidence out;
  out.log_scores = *inference.log_scores;
  out.elpd_loo = numbers.take("elpd_loo", 0.0);
  out.elpd_loo_se = numbers.take("elpd_loo_se", 0.0);
  out.elpd_waic = numbers.take("elpd_waic", 0.0);
  out.elpd_waic_se = numbers.take("elpd_waic_se", 0.0);
  out.elpd_mcse = numbers.take("elpd_mcse", 0.0);
  out.pareto_k_high = numbers.take_count("pareto_k_high");
  out.draws = numbers.take_count("evidence_draws");
  out.states = numbers.take_count("evidence_states");
  out.clipped_biomarkers = numbers.take_count("clipped_biomarkers");
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
  Diagnostics numbers(inference.diagnostics);
  out.evidence = take_evidence(inference, numbers);
  out.chains = take_chains(numbers);
  out.diagnostics = numbers.rest();
  out.log_likelihood_trace = inference.log_likelihood_trace;
  for (const auto& check : inference.checks)
    out.checks.push_back({biomarkers[check.biomarker], check.diseased, check.statistic,
                          check.observed, check.mean, check.sd, check.p});
  return out;
}

}  // namespace tempo
