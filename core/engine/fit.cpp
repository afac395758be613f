#include "engine/fit.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

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
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  switch (order) {
    case ColumnOrder::random: stream.shuffle(columns); break;
    case ColumnOrder::alphabetical:
      std::sort(columns.begin(), columns.end(),
                [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
      break;
    case ColumnOrder::truth: {
      const auto sequence = sequence_of(cohort.truth.event_ranks);
      std::copy(sequence.begin(), sequence.end(), columns.begin());
      break;
    }
  }
  return columns;
}

/// From the columns the method saw back to the cohort's own.
Inference restore_columns(Inference inference, const std::vector<std::size_t>& columns) {
  const auto B = columns.size();
  const auto restore = [&](const std::vector<double>& values) {
    std::vector<double> out(B);
    for (std::size_t b = 0; b < B; ++b) out[columns[b]] = values[b];
    return out;
  };
  inference.event_scores = restore(inference.event_scores);
  if (inference.event_times) inference.event_times = restore(*inference.event_times);
  if (inference.rank_posterior) {
    Matrix out(B, B);
    for (std::size_t b = 0; b < B; ++b) {
      const auto row = std::as_const(*inference.rank_posterior).row(b);
      std::copy(row.begin(), row.end(), out.row(columns[b]).begin());
    }
    inference.rank_posterior = std::move(out);
  }
  return inference;
}

json as_json(const Matrix& matrix) {
  json rows = json::array();
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    const auto row = matrix.row(i);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return rows;
}

/// What the store keeps beyond the scores, keyed by participant and biomarker.
std::string details(const Inference& inference, const Cohort& cohort) {
  json out;
  out["biomarkers"] = cohort.biomarkers;
  out["participants"] = cohort.participants;
  out["event_scores"] = inference.event_scores;
  out["stages"] = inference.stages;
  if (inference.event_times) out["event_times"] = *inference.event_times;
  if (inference.rank_posterior) out["rank_posterior"] = as_json(*inference.rank_posterior);
  if (inference.stage_posterior) out["stage_posterior"] = as_json(*inference.stage_posterior);
  if (!inference.diagnostics.empty()) out["diagnostics"] = inference.diagnostics;
  if (!inference.warnings.empty()) out["warnings"] = inference.warnings;
  return out.dump();
}

}  // namespace

FitRecord fit_and_score(const InferenceMethod& method, const MethodEntry& entry,
                        const SimulatedCohort& truth, std::uint64_t seed,
                        const std::string& hypothesis, std::size_t number) {
  FitRecord record;
  record.tau_distance = record.stage_mae = record.sequence_mae = std::nan("");
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
    record.seconds = seconds();
    record.tau_distance = tau_distance(inference.event_scores, truth.truth.event_ranks);
    record.stage_mae =
        stage_mae(inference.stages, truth.truth.ordinal_stages, truth.cohort.biomarker_count());
    record.sequence_mae = sequence_mae(inference.event_scores, truth.truth.event_times);
    record.details = details(inference, truth.cohort);
    record.status = ResultRow::Status::ok;
  } catch (const std::exception& error) {
    record.seconds = seconds();
    record.error = error.what();
  }
  return record;
}

}  // namespace tempo
