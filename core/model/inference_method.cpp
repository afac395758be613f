#include "tempo/inference_method.hpp"

#include <cmath>
#include <string>

#include "tempo/error.hpp"

namespace tempo {
namespace {

/// Per biomarker with missing cells: `'X' 3 (1 healthy, 2 diseased)`. Empty if none is missing.
std::string missing_cells(const Cohort& cohort) {
  std::string text;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    std::size_t missing = 0;
    std::size_t diseased = 0;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
      if (!std::isnan(cohort.measurements(j, b))) continue;
      ++missing;
      if (!cohort.diseased.empty() && cohort.diseased[j] != 0) ++diseased;
    }
    if (missing == 0) continue;
    text +=
        (text.empty() ? "" : ", ") + ("'" + cohort.biomarkers[b] + "' ") + std::to_string(missing);
    if (!cohort.diseased.empty())
      text += " (" + std::to_string(missing - diseased) + " healthy, " + std::to_string(diseased) +
              " diseased)";
  }
  return text;
}

constexpr double kSumsToOneWithin = 1e-6;

void expect_rows_sum_to_one(const char* name, const Matrix& matrix, std::size_t rows,
                            std::size_t cols) {
  if (matrix.rows() != rows || matrix.cols() != cols)
    throw ShapeError(std::string(name) + ": expected [" + std::to_string(rows) + ", " +
                     std::to_string(cols) + "], got [" + std::to_string(matrix.rows()) + ", " +
                     std::to_string(matrix.cols()) + "]");
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0.0;
    for (const auto value : matrix.row(row)) sum += value;
    if (!(std::abs(sum - 1.0) < kSumsToOneWithin))
      throw NumericError(std::string(name) + ": row " + std::to_string(row) + " sums to " +
                         std::to_string(sum) + ", not to 1");
  }
}

void expect_size(const char* name, std::size_t found, char letter, std::size_t expected) {
  if (found != expected)
    throw ShapeError(std::string(name) + ": expected [" + letter + "=" + std::to_string(expected) +
                     "], got [" + std::to_string(found) + "]");
}

void check_event_times(const Inference& inference, std::size_t B) {
  if (inference.event_times) {
    expect_size("event times", inference.event_times->size(), 'B', B);
    for (const auto time : *inference.event_times)
      if (!(time >= 0.0 && time <= 1.0))
        throw NumericError("event times: expected values in [0, 1], found " + std::to_string(time));
  }
  const auto& spreads = inference.event_time_spreads;
  if (!spreads) return;
  if (!inference.event_times || spreads->size() != B)
    throw ShapeError("spreads of event times: expected [B=" + std::to_string(B) +
                     "] beside as many event times, got [" + std::to_string(spreads->size()) + "]");
  for (const auto& [sd, low, high] : *spreads)
    if (!(sd >= 0.0 && low >= 0.0 && low <= high && high <= 1.0))
      throw NumericError(
          "spreads of event times: expected 0 <= low <= high <= 1 and an sd, found [" +
          std::to_string(low) + ", " + std::to_string(high) + "] and " + std::to_string(sd));
}

void check_evidence(const Evidence& evidence, const Cohort& cohort) {
  const auto J = cohort.participant_count();
  expect_size("log scores", evidence.log_scores.size(), 'J', J);
  for (std::size_t j = 0; j < J; ++j)
    if (!std::isfinite(evidence.log_scores[j]))
      throw NumericError("log scores: participant '" + cohort.participants[j] +
                         "' has no finite score");
  for (const auto b : evidence.clipped_biomarkers)
    if (b >= cohort.biomarker_count())
      throw ShapeError("clipped biomarkers: expected one below B=" +
                       std::to_string(cohort.biomarker_count()) + ", got " + std::to_string(b));
}

void check_predictive_check(const PredictiveCheck& check, const Cohort& cohort) {
  const auto B = cohort.biomarker_count();
  if (check.biomarker >= B)
    throw ShapeError("predictive checks: expected a biomarker below B=" + std::to_string(B) +
                     ", got " + std::to_string(check.biomarker));
  for (const auto value : {check.observed, check.mean, check.sd})
    if (!std::isfinite(value))
      throw NumericError("predictive checks: " + check.statistic + " of '" +
                         cohort.biomarkers[check.biomarker] + "' is not finite");
  if (!(check.p > 0.0 && check.p <= 1.0))
    throw NumericError("predictive checks: expected p in (0, 1], found " + std::to_string(check.p));
}

void check_trace(const Matrix& trace) {
  if (trace.cols() > Inference::kTracePoints)
    throw ShapeError("log-likelihood trace: expected at most " +
                     std::to_string(Inference::kTracePoints) + " points a chain, got " +
                     std::to_string(trace.cols()));
  for (const auto value : trace.values())
    if (std::isnan(value)) throw NumericError("log-likelihood trace: a value is NaN");
}

void check_subtypes(const SubtypeInference& subtypes, std::size_t J, std::size_t B) {
  const auto K = subtypes.shares.size();
  if (K == 0) throw ShapeError("subtypes: expected at least 1 share, got none");
  const auto& scores = subtypes.event_scores;
  if (scores.rows() != K || scores.cols() != B)
    throw ShapeError("event scores of subtypes: expected [" + std::to_string(K) + ", " +
                     std::to_string(B) + "], got [" + std::to_string(scores.rows()) + ", " +
                     std::to_string(scores.cols()) + "]");
  for (const auto score : scores.values())
    if (!std::isfinite(score)) throw NumericError("event scores of subtypes: one is not finite");
  double sum = 0.0;
  for (const auto share : subtypes.shares) {
    if (!(share >= 0.0 && share <= 1.0))
      throw NumericError("shares of subtypes: expected values in [0, 1], found " +
                         std::to_string(share));
    sum += share;
  }
  if (!(std::abs(sum - 1.0) < kSumsToOneWithin))
    throw NumericError("shares of subtypes: they sum to " + std::to_string(sum) + ", not to 1");
  expect_rows_sum_to_one("subtype posterior", subtypes.posterior, J, K);
  for (const auto evidence : subtypes.log_evidence)
    if (std::isnan(evidence)) throw NumericError("log evidence of subtypes: a value is NaN");
  if (subtypes.rank_posteriors.empty()) return;
  expect_size("rank posteriors of subtypes", subtypes.rank_posteriors.size(), 'K', K);
  for (const auto& posterior : subtypes.rank_posteriors)
    expect_rows_sum_to_one("rank posterior of a subtype", posterior, B, B);
}

}  // namespace

InferenceMethod::~InferenceMethod() = default;

bool ChainAgreement::agreed() const {
  return r_hat <= kAgreedRHat && r_hat_log_likelihood <= kAgreedRHat &&
         (!r_hat_traits || *r_hat_traits <= kAgreedRHat);
}

void check(const Inference& inference, const Cohort& cohort) {
  const auto J = cohort.participant_count();
  const auto B = cohort.biomarker_count();
  expect_size("event scores", inference.event_scores.size(), 'B', B);
  expect_size("stages", inference.stages.size(), 'J', J);
  for (std::size_t b = 0; b < B; ++b)
    if (!std::isfinite(inference.event_scores[b]))
      throw NumericError("event scores: '" + cohort.biomarkers[b] + "' has no finite score");
  for (std::size_t j = 0; j < J; ++j)
    if (!(inference.stages[j] >= 0.0 && inference.stages[j] <= static_cast<double>(B)))
      throw NumericError("stages: participant '" + cohort.participants[j] + "' is at " +
                         std::to_string(inference.stages[j]) +
                         ", expected a value in [0, B=" + std::to_string(B) + "]");
  check_event_times(inference, B);
  if (inference.rank_posterior)
    expect_rows_sum_to_one("rank posterior", *inference.rank_posterior, B, B);
  if (inference.stage_posterior)
    expect_rows_sum_to_one("stage posterior", *inference.stage_posterior, J, B + 1);
  if (inference.evidence) check_evidence(*inference.evidence, cohort);
  for (const auto& check : inference.checks) check_predictive_check(check, cohort);
  if (inference.log_likelihood_trace) check_trace(*inference.log_likelihood_trace);
  if (inference.subtypes) check_subtypes(*inference.subtypes, J, B);
}

void InferenceMethod::check_input(const Cohort& cohort) const {
  check(cohort);
  const auto prefix = blame("fitting");
  if (cohort.participant_count() == 0 || cohort.biomarker_count() == 0)
    throw ShapeError(prefix + "the cohort is empty");
  if (needs_labels(label_use()) && cohort.diseased.empty())
    throw ShapeError(prefix + "the method uses the diagnosis and the cohort has none");
  if (missing_data() == MissingData::refused)
    if (const auto missing = missing_cells(cohort); !missing.empty())
      throw NumericError(prefix + "the method takes no missing values; missing: " + missing);
}

void InferenceMethod::check_output(const Inference& inference, const Cohort& cohort) const {
  try {
    check(inference, cohort);
  } catch (const Error& error) {
    throw NumericError(blame("fitting") + error.what());
  }
}

Inference InferenceMethod::fit(const Cohort& cohort, RandomStream& stream) const {
  check_input(cohort);
  Inference out;
  guard("fitting", [&] { out = do_fit(cohort, stream); });
  check_output(out, cohort);
  return out;
}

std::vector<Inference> InferenceMethod::fit_all(std::span<const Cohort> cohorts,
                                                std::span<RandomStream> streams) const {
  if (streams.size() != cohorts.size())
    throw ShapeError(blame("fitting") + std::to_string(cohorts.size()) + " cohorts and " +
                     std::to_string(streams.size()) + " streams");
  for (const auto& cohort : cohorts) check_input(cohort);
  std::vector<Inference> out;
  guard("fitting", [&] { out = do_fit_all(cohorts, streams); });
  if (out.size() != cohorts.size())
    throw ShapeError(blame("fitting") + std::to_string(out.size()) + " results for " +
                     std::to_string(cohorts.size()) + " cohorts");
  for (std::size_t i = 0; i < out.size(); ++i) check_output(out[i], cohorts[i]);
  return out;
}

std::vector<Inference> InferenceMethod::do_fit_all(std::span<const Cohort> cohorts,
                                                   std::span<RandomStream> streams) const {
  std::vector<Inference> out;
  for (std::size_t i = 0; i < cohorts.size(); ++i) out.push_back(do_fit(cohorts[i], streams[i]));
  return out;
}

}  // namespace tempo
