#include "run/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "data/cohort_csv.hpp"
#include "data/names.hpp"
#include "data/unicode.hpp"
#include "model/fault_text.hpp"
#include "model/printable.hpp"
#include "model/subtype_metrics.hpp"
#include "run/inference_details.hpp"
#include "run/progress.hpp"
#include "tempo/error.hpp"
#include "tempo/metrics.hpp"

namespace tempo {
namespace {

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

/// Results in the cohort's own columns.
/// @param columns  column_order of the fit
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
  const auto restore_rows = [&](Matrix& posterior) {
    Matrix out(B, B);
    for (std::size_t b = 0; b < B; ++b) {
      const auto row = std::as_const(posterior).row(b);
      std::copy(row.begin(), row.end(), out.row(columns[b]).begin());
    }
    posterior = std::move(out);
  };
  if (inference.rank_posterior) restore_rows(*inference.rank_posterior);
  for (auto& check : inference.checks) check.biomarker = columns[check.biomarker];
  if (inference.evidence)
    for (auto& b : inference.evidence->clipped_biomarkers) b = columns[b];
  if (inference.subtypes) {
    const auto seen = inference.subtypes->event_scores;
    for (std::size_t k = 0; k < seen.rows(); ++k)
      for (std::size_t b = 0; b < B; ++b)
        inference.subtypes->event_scores(k, columns[b]) = seen(k, b);
    for (auto& posterior : inference.subtypes->rank_posteriors) restore_rows(posterior);
  }
  return inference;
}

/// The lines of a text, however they end, on one line: tables show it, and files hold it as UTF-8,
/// without what would steer a terminal.
std::string on_one_line(const std::string& said) {
  constexpr std::size_t kMost = 2000;  // bytes: nobody reads more in a table
  const auto text = well_formed(said.size() > kMost ? said.substr(0, kMost) + " ..." : said);
  return printable(joined_lines(text), "\t");
}

}  // namespace

std::string missing_in_words(const Cohort& cohort, MissingData what_it_does) {
  const bool labelled = !cohort.diseased.empty();
  const auto missing = count_missing(cohort, labelled ? Labels::needed : Labels::ignored);
  if (missing.total() == 0) return {};
  auto text = fmt::format("{} of {} measurements are missing{}:", missing.total(),
                          cohort.participant_count() * cohort.biomarker_count(),
                          what_it_does == MissingData::imputed
                              ? ", and the method put values in their place"
                              : " and were left out");
  const char* separator = " ";
  for (const auto& [biomarker, healthy, diseased] : missing.columns) {
    if (healthy + diseased == 0) continue;
    text += labelled ? fmt::format("{}{} ({} healthy, {} diseased)", separator, biomarker, healthy,
                                   diseased)
                     : fmt::format("{}{} ({})", separator, biomarker, healthy + diseased);
    separator = ", ";
  }
  if (const auto& empty = missing.empty_participants; !empty.empty())
    text += fmt::format("; without any: {}", in_short(in_quotes(empty)));
  return text;
}

FitRecord failed_fit(const std::string& why, double seconds, FitStatus status) {
  FitRecord record;
  record.result.status = status;
  record.result.seconds = seconds;
  record.result.error = on_one_line(why);
  return record;
}

namespace {

FitStatus status_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::timed_out:
      return FitStatus::timed_out;
    case FailureKind::out_of_memory:
      return FitStatus::out_of_memory;
    case FailureKind::not_applicable:
      return FitStatus::not_applicable;
    case FailureKind::bad_answer:
      return FitStatus::bad_answer;
  }
  return FitStatus::failed;
}

std::vector<Warning> warnings_of(const Inference& inference, const Cohort& cohort,
                                 MissingData what_it_does) {
  std::vector<Warning> warnings;
  if (auto missing = missing_in_words(cohort, what_it_does); !missing.empty())
    warnings.push_back({Warning::Kind::missing_values, std::move(missing)});
  for (const auto& warning : inference.warnings)
    warnings.push_back({Warning::Kind::method, on_one_line(warning)});
  return warnings;
}

/// Whether the number of subtypes was inferred as if distributions were known that were estimated
/// from the same cohort.
bool counts_by_estimates(const Inference& inference, const Experiment& experiment) {
  const auto* real = experiment.real_cohort();
  const bool are_estimated = real != nullptr && real->simulation && real->not_separating;
  return are_estimated && inference.subtypes && !inference.subtypes->log_evidence.empty();
}

/// One order for all is an answer to some of the questions.
void score_subtypes(const Inference& inference, const TrueSubtypes& truth, FitScores& scores) {
  const auto& found = inference.subtypes;
  Matrix orders(1, inference.event_scores.size());
  std::copy(inference.event_scores.begin(), inference.event_scores.end(), orders.row(0).begin());
  if (found) orders = found->event_scores;
  const auto assigned =
      found ? most_probable(found->posterior) : std::vector<std::size_t>(truth.subtype.size(), 0);
  scores.matched_tau_distance = matched_tau_distance(orders, truth.progressions);
  scores.assigned_tau_distance = assigned_tau_distance(orders, assigned, truth);
  if (!found) return;
  scores.subtype_score = subtype_score(assigned, truth);
  scores.subtype_number_error =
      static_cast<double>(orders.rows()) - static_cast<double>(truth.progressions.size());
}

}  // namespace

FitScores scores_of(const Inference& inference, const SimulatedCohort& cohort) {
  const auto& [of_cohort, truth] = cohort;
  FitScores scores{
      .tau_distance = tau_distance(inference.event_scores, truth.event_ranks),
      .stage_mae = stage_mae(inference.stages, truth.ordinal_stages, of_cohort.biomarker_count()),
      .sequence_mae = sequence_mae(inference.event_scores, truth.event_times)};
  if (truth.subtypes) score_subtypes(inference, *truth.subtypes, scores);
  return scores;
}

FitRecord fit_and_score(const InferenceMethod& method, const MethodEntry& entry,
                        const SimulatedCohort& truth, const Experiment& experiment,
                        const std::string& hypothesis, std::size_t number) {
  const auto seed = experiment.seed;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return seconds_since(start); };
  try {
    const auto columns = column_order(entry.column_order, truth,
                                      RandomStream(seed, "column order", hypothesis, number));
    auto seen = with_columns(truth.cohort, columns);
    if (method.label_use() == LabelUse::none || entry.withhold_diagnosis) {
      seen.diseased.clear();
      seen.diagnoses.clear();
    }
    // The same stream for every entry of a plugin: settings are compared on common random numbers.
    RandomStream stream(seed, "fit " + entry.part.plugin, hypothesis, number);
    const auto inference = restore_columns(method.fit(seen, stream), columns);
    FitRecord record;
    auto& result = record.result;
    result.status = FitStatus::ok;
    result.seconds = seconds();
    const bool has_truth = !experiment.has_real_cohort();
    if (has_truth) result.scores = scores_of(inference, truth);
    result.warnings = warnings_of(inference, truth.cohort, method.missing_data());
    if (counts_by_estimates(inference, experiment))
      result.warnings.push_back(
          {Warning::Kind::method,
           "do not report how many subtypes there are: the distributions were estimated from the "
           "same cohort, and the number is then usually too large"});
    record.details =
        details_of(inference, truth,
                   {.names = has_truth,
                    .all = has_truth || number == 0,
                    .stage_posterior = experiment.keep_stage_posteriors,
                    .labels = use_of_cohort(method.label_use(), !seen.diseased.empty())});
    return record;
  } catch (const Stopped&) {
    return {};
  } catch (const FitFailure& failure) {
    return failed_fit(failure.what(), seconds(), status_of(failure.kind()));
  } catch (const std::exception& error) {
    return failed_fit(fault_text(error), seconds());
  }
}

}  // namespace tempo
