#include "run/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "data/cohort_csv.hpp"
#include "data/names.hpp"
#include "results/matrix_json.hpp"
#include "tempo/error.hpp"
#include "tempo/metrics.hpp"

namespace tempo {
namespace {

using nlohmann::json;

/// Which of the cohort's columns the method sees at each place.
std::vector<std::size_t> column_order(ColumnOrder order, const SimulatedCohort& cohort,
                                      RandomStream stream) {
  const auto& names = cohort.cohort.biomarkers;
  std::vector<std::size_t> columns(names.size());
  if (order == ColumnOrder::truth) {
    const auto sequence = sequence_of(cohort.truth.event_ranks);
    std::copy(sequence.begin(), sequence.end(), columns.begin());
    return columns;
  }
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  std::sort(columns.begin(), columns.end(),
            [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  if (order == ColumnOrder::random) stream.shuffle(columns);
  return columns;
}

/// From the columns the method saw back to the cohort's own.
Inference restore_columns(Inference inference, const std::vector<std::size_t>& columns) {
  const auto B = columns.size();
  const auto restore = [&](const auto& values) {
    auto out = values;
    for (std::size_t b = 0; b < B; ++b) out[columns[b]] = values[b];
    return out;
  };
  inference.event_scores = restore(inference.event_scores);
  if (inference.event_times) inference.event_times = restore(*inference.event_times);
  if (inference.event_time_spreads)
    inference.event_time_spreads = restore(*inference.event_time_spreads);
  if (inference.rank_posterior) {
    Matrix out(B, B);
    for (std::size_t b = 0; b < B; ++b) {
      const auto row = std::as_const(*inference.rank_posterior).row(b);
      std::copy(row.begin(), row.end(), out.row(columns[b]).begin());
    }
    inference.rank_posterior = std::move(out);
  }
  for (auto& check : inference.checks) check.biomarker = columns[check.biomarker];
  if (inference.evidence)
    for (auto& b : inference.evidence->clipped_biomarkers) b = columns[b];
  if (inference.subtypes) {
    const auto seen = inference.subtypes->event_scores;
    for (std::size_t k = 0; k < seen.rows(); ++k)
      for (std::size_t b = 0; b < B; ++b)
        inference.subtypes->event_scores(k, columns[b]) = seen(k, b);
  }
  return inference;
}

/// The numbers of a fit by their names: those of its chains and its evidence beside the method's
/// own.
std::map<std::string, double> named_numbers(const Inference& inference) {
  auto out = inference.diagnostics;
  if (const auto& chains = inference.chains) {
    out["r_hat"] = chains->r_hat;
    out["effective_samples"] = chains->effective_samples;
    out["r_hat_log_likelihood"] = chains->r_hat_log_likelihood;
    out["effective_samples_log_likelihood"] = chains->effective_samples_log_likelihood;
    if (chains->r_hat_traits) out["r_hat_traits"] = *chains->r_hat_traits;
  }
  if (const auto& evidence = inference.evidence) {
    out["elpd_loo"] = evidence->elpd_loo;
    out["elpd_loo_se"] = evidence->elpd_loo_se;
    out["elpd_waic"] = evidence->elpd_waic;
    out["elpd_waic_se"] = evidence->elpd_waic_se;
    out["elpd_mcse"] = evidence->elpd_mcse;
    out["pareto_k_high"] = static_cast<double>(evidence->pareto_k_high);
    out["evidence_draws"] = static_cast<double>(evidence->draws);
    if (evidence->states) out["evidence_states"] = static_cast<double>(*evidence->states);
    out["clipped_biomarkers"] = static_cast<double>(evidence->clipped_biomarkers.size());
  }
  return out;
}

/// What the store keeps beyond the scores, in the columns and rows of the cohort. The names of
/// those are with them, and the true order, but for a real cohort: they are with the cohort. Of a
/// replicate nobody asks for more than when events are, and replicates are many.
std::string details(const Inference& inference, const SimulatedCohort& truth,
                    const Experiment& experiment, std::size_t number) {
  const auto& cohort = truth.cohort;
  json out;
  if (!experiment.has_real_cohort()) {
    out["biomarkers"] = cohort.biomarkers;
    out["participants"] = cohort.participants;
    const auto& ranks = truth.truth.event_ranks;
    out["true_ranks"] = std::vector<std::size_t>(ranks.begin(), ranks.end());
  }
  out["event_scores"] = inference.event_scores;
  if (inference.event_times) out["event_times"] = *inference.event_times;
  if (experiment.has_real_cohort() && number > 0) return out.dump();
  out["stages"] = inference.stages;
  if (inference.event_time_spreads)
    for (const auto& [sd, low, high] : *inference.event_time_spreads)
      out["event_time_spreads"].push_back({sd, low, high});
  if (inference.rank_posterior) out["rank_posterior"] = to_json(*inference.rank_posterior);
  if (experiment.keep_stage_posteriors && inference.stage_posterior)
    out["stage_posterior"] = to_json(*inference.stage_posterior);
  if (inference.evidence) out["log_scores"] = inference.evidence->log_scores;
  if (inference.log_likelihood_trace)
    out["log_likelihood_trace"] = to_json(*inference.log_likelihood_trace);
  for (const auto& check : inference.checks)
    out["checks"].push_back({{"biomarker", cohort.biomarkers[check.biomarker]},
                             {"group", check.diseased ? "diseased" : "healthy"},
                             {"statistic", check.statistic},
                             {"observed", check.observed},
                             {"mean", check.mean},
                             {"sd", check.sd},
                             {"p", check.p}});
  if (const auto numbers = named_numbers(inference); !numbers.empty()) out["diagnostics"] = numbers;
  return out.dump();
}

constexpr std::string_view kOf = " of ", kAreMissing = " measurements are missing";

/// What people read in tables: the lines of a text, however they end, on one.
std::string on_one_line(std::string text) {
  for (auto at = text.find_first_of("\r\n"); at != std::string::npos;
       at = text.find_first_of("\r\n", at))
    text.replace(at, text.compare(at, 2, "\r\n") == 0 ? 2 : 1, "; ");
  return text;
}

}  // namespace

std::string missing_in_words(const Cohort& cohort, MissingData what_it_does) {
  const auto missing = count_missing(cohort);
  if (missing.total() == 0) return {};
  auto text = fmt::format("{}{}{}{}{}:", missing.total(), kOf,
                          cohort.participant_count() * cohort.biomarker_count(), kAreMissing,
                          what_it_does == MissingData::imputed
                              ? ", and the method put values in their place"
                              : " and were left out");
  const char* separator = " ";
  for (const auto& [biomarker, healthy, diseased] : missing.columns) {
    if (healthy + diseased == 0) continue;
    text += fmt::format("{}{} ({} healthy, {} diseased)", separator, biomarker, healthy, diseased);
    separator = ", ";
  }
  if (const auto& empty = missing.empty_participants; !empty.empty())
    text += fmt::format("; without any: {}", in_short(empty));
  return text;
}

bool is_count_of_missing(std::string_view warning) {
  // `7 of 200 measurements are missing`
  const auto pass_number = [&] {
    const auto digits = std::min(warning.find_first_not_of("0123456789"), warning.size());
    warning.remove_prefix(digits);
    return digits > 0;
  };
  if (!pass_number() || !warning.starts_with(kOf)) return false;
  warning.remove_prefix(kOf.size());
  return pass_number() && warning.starts_with(kAreMissing);
}

FitRecord failed_fit(const std::string& why, double seconds) {
  FitRecord record;
  record.status = ResultRow::Status::failed;
  record.seconds = seconds;
  record.error = on_one_line(why);
  return record;
}

FitRecord fit_and_score(const InferenceMethod& method, const MethodEntry& entry,
                        const SimulatedCohort& truth, const Experiment& experiment,
                        const std::string& hypothesis, std::size_t number) {
  const auto seed = experiment.seed;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  try {
    const auto columns = column_order(entry.column_order, truth,
                                      RandomStream(seed, "column order", hypothesis, number));
    auto seen = with_columns(truth.cohort, columns);
    if (method.label_use() == LabelUse::none) {
      seen.diseased.clear();
      seen.diagnoses.clear();
    }
    // The same stream for every entry of a plugin: settings are compared on common random numbers.
    RandomStream stream(seed, "fit " + entry.part.plugin, hypothesis, number);
    const auto inference = restore_columns(method.fit(seen, stream), columns);
    FitRecord record;
    record.status = ResultRow::Status::ok;
    record.seconds = seconds();
    if (!experiment.has_real_cohort()) {
      record.tau_distance = tau_distance(inference.event_scores, truth.truth.event_ranks);
      record.stage_mae =
          stage_mae(inference.stages, truth.truth.ordinal_stages, truth.cohort.biomarker_count());
      record.sequence_mae = sequence_mae(inference.event_scores, truth.truth.event_times);
    }
    if (const auto missing = missing_in_words(truth.cohort, method.missing_data());
        !missing.empty())
      record.warnings.push_back(missing);
    for (const auto& warning : inference.warnings) record.warnings.push_back(on_one_line(warning));
    record.details = details(inference, truth, experiment, number);
    return record;
  } catch (const std::exception& error) {
    return failed_fit(error.what(), seconds());
  }
}

}  // namespace tempo
