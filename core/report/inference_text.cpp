#include "report/inference_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "analysis/spread.hpp"
#include "model/told_stage.hpp"
#include "report/append.hpp"
#include "report/stage_posterior_text.hpp"
#include "report/subtype_text.hpp"
#include "report/table.hpp"
#include "tempo/order.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

/// The interval of a biomarker's rank.
std::optional<Within> interval_of_rank(const InferredCohort& inferred, std::size_t b) {
  const auto& posterior = inferred.found.rank_posterior;
  return posterior ? std::optional(within_posterior(posterior->row(b), 1.0)) : std::nullopt;
}

/// Of a participant whose stage no label says.
std::optional<StagePosterior> posterior_of_stage(const InferredCohort& inferred, std::size_t j) {
  const auto& posterior = inferred.found.stage_posterior;
  return posterior && !is_told_stage(inferred.labels, inferred.cohort, j)
             ? std::optional(stage_posterior(posterior->row(j)))
             : std::nullopt;
}

/// Cells in the columns of a posterior of stages.
std::vector<Cell> ends_of(const std::optional<Within>& interval) {
  std::vector<Cell> out(stage_posterior_columns().size() - 2);
  append(out, interval ? std::vector<Cell>{interval->low, interval->high}
                       : std::vector<Cell>{Cell(), Cell()});
  return out;
}

void add_ends(const std::optional<Within>& interval, Json& to) {
  if (!interval) return;
  to["low"] = interval->low;
  to["high"] = interval->high;
}

/// Of a participant: chances of the subtypes; empty where there are none, or for the healthy.
std::span<const double> chances_of(const InferredCohort& inferred, std::size_t j) {
  const auto& cohort = inferred.cohort;
  const bool is_healthy = !cohort.diseased.empty() && cohort.diseased[j] == 0;
  return inferred.found.subtypes && !is_healthy ? inferred.found.subtypes->posterior.row(j)
                                                : std::span<const double>();
}

/// The orders of subtypes, a row per event.
void add_subtype_rows(const InferredCohort& inferred, const std::vector<Cell>& first,
                      std::vector<std::vector<Cell>>& rows) {
  const auto& subtypes = *inferred.found.subtypes;
  for (std::size_t s = 0; s < subtypes.shares.size(); ++s) {
    const auto scores = subtypes.event_scores.row(s);
    const auto order = sequence_by_score(scores);
    for (std::size_t i = 0; i < order.size(); ++i) {
      append(rows.emplace_back(first), {"event of subtype", inferred.cohort.biomarkers[order[i]],
                                        i + 1, scores[order[i]], Cell(), Cell()});
      append(rows.back(), ends_of(rank_in_subtype(subtypes, s, order[i])));
      append(rows.back(), {s + 1, subtypes.shares[s]});
    }
  }
}

/// @param first  cells before those of the cohort
/// @param has_subtypes  columns of subtypes follow those of stages
void add_rows(const InferredCohort& inferred, const std::vector<Cell>& first, bool has_subtypes,
              std::vector<std::vector<Cell>>& rows) {
  const auto& cohort = inferred.cohort;
  const auto& found = inferred.found;
  const auto order = sequence_by_score(found.event_scores);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto b = order[i];
    const auto time = found.event_times ? Cell((*found.event_times)[b]) : Cell();
    append(rows.emplace_back(first),
           {"event", cohort.biomarkers[b], i + 1, found.event_scores[b], time, Cell()});
    append(rows.back(), ends_of(interval_of_rank(inferred, b)));
    if (has_subtypes) append(rows.back(), cells_of_subtype({}));
  }
  if (found.subtypes) add_subtype_rows(inferred, first, rows);
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    append(rows.emplace_back(first),
           {"stage", cohort.participants[j], Cell(), Cell(), Cell(), found.stages[j]});
    append(rows.back(), cells_of(posterior_of_stage(inferred, j)));
    if (has_subtypes) append(rows.back(), cells_of_subtype(chances_of(inferred, j)));
  }
}

std::vector<double> probabilities(const Matrix& posterior, std::size_t row) {
  const auto found = posterior.row(row);
  return {found.begin(), found.end()};
}

/// Of each progression its share and the events in its order.
Json subtypes_json(const SubtypeInference& subtypes, const std::vector<std::string>& biomarkers,
                   Posteriors posteriors) {
  auto out = Json::array();
  for (std::size_t s = 0; s < subtypes.shares.size(); ++s) {
    auto events = Json::array();
    const auto scores = subtypes.event_scores.row(s);
    const auto order = sequence_by_score(scores);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto b = order[i];
      Json event{{"biomarker", biomarkers[b]}, {"rank", i + 1}, {"score", scores[b]}};
      add_ends(rank_in_subtype(subtypes, s, b), event);
      if (posteriors == Posteriors::whole && !subtypes.rank_posteriors.empty())
        event["rank_probabilities"] = probabilities(subtypes.rank_posteriors[s], b);
      events.push_back(std::move(event));
    }
    out.push_back({{"subtype", s + 1}, {"share", subtypes.shares[s]}, {"events", events}});
  }
  return out;
}

Json as_json(const InferredCohort& inferred, const std::string& plugin, Posteriors posteriors) {
  const auto& cohort = inferred.cohort;
  const auto& found = inferred.found;
  Json out;
  out["plugin"] = plugin;
  out["labels"] = to_string(inferred.labels);
  out["events"] = Json::array();
  const auto order = sequence_by_score(found.event_scores);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto b = order[i];
    Json event{
        {"biomarker", cohort.biomarkers[b]}, {"rank", i + 1}, {"score", found.event_scores[b]}};
    if (found.event_times) event["time"] = (*found.event_times)[b];
    add_ends(interval_of_rank(inferred, b), event);
    if (posteriors == Posteriors::whole && found.rank_posterior)
      event["rank_probabilities"] = probabilities(*found.rank_posterior, b);
    out["events"].push_back(std::move(event));
  }
  if (found.subtypes)
    out["subtypes"] = subtypes_json(*found.subtypes, cohort.biomarkers, posteriors);
  out["stages"] = Json::array();
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    Json stage{{"participant", cohort.participants[j]}, {"stage", found.stages[j]}};
    add_subtype(stage, chances_of(inferred, j));
    add_to(stage, posterior_of_stage(inferred, j));
    if (posteriors == Posteriors::whole && found.stage_posterior)
      stage["stage_probabilities"] = probabilities(*found.stage_posterior, j);
    out["stages"].push_back(std::move(stage));
  }
  out["warnings"] = found.warnings;
  return out;
}

}  // namespace

std::string inference_csv(const std::vector<InferredCohort>& cohorts) {
  const bool several = cohorts.size() > 1;
  Table out;
  if (several) out.columns = {"cohort"};
  append(out.columns, {"kind", "name", "rank", "score", "time", "stage"});
  append(out.columns, stage_posterior_columns());
  const bool has_subtypes = std::ranges::any_of(
      cohorts, [](const InferredCohort& inferred) { return inferred.found.subtypes.has_value(); });
  if (has_subtypes) append(out.columns, subtype_columns());
  for (const auto& inferred : cohorts)
    add_rows(inferred, several ? std::vector<Cell>{inferred.file} : std::vector<Cell>(),
             has_subtypes, out.rows);
  return render(out, TableFormat::csv);
}

std::string inference_json(const std::vector<InferredCohort>& cohorts, const std::string& plugin,
                           Posteriors posteriors) {
  if (cohorts.size() == 1) return as_json(cohorts.front(), plugin, posteriors).dump(2) + "\n";
  auto out = Json::array();
  for (const auto& inferred : cohorts) {
    Json entry{{"cohort", inferred.file}};
    entry.update(as_json(inferred, plugin, posteriors));
    out.push_back(std::move(entry));
  }
  return out.dump(2) + "\n";
}

}  // namespace tempo
