#include "report/inference_text.hpp"

#include <nlohmann/json.hpp>

#include "report/append.hpp"
#include "report/table.hpp"
#include "tempo/order.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

/// @param first  cells before those of the cohort
void add_rows(const InferredCohort& inferred, const std::vector<Cell>& first,
              std::vector<std::vector<Cell>>& rows) {
  const auto& [file, cohort, found] = inferred;
  const auto order = sequence_by_score(found.event_scores);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto b = order[i];
    const auto time = found.event_times ? Cell((*found.event_times)[b]) : Cell();
    append(rows.emplace_back(first),
           {"event", cohort.biomarkers[b], i + 1, found.event_scores[b], time, Cell()});
  }
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    append(rows.emplace_back(first),
           {"stage", cohort.participants[j], Cell(), Cell(), Cell(), found.stages[j]});
}

Json as_json(const InferredCohort& inferred, const std::string& plugin) {
  const auto& [file, cohort, found] = inferred;
  Json out;
  out["plugin"] = plugin;
  out["events"] = Json::array();
  const auto order = sequence_by_score(found.event_scores);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto b = order[i];
    Json event{
        {"biomarker", cohort.biomarkers[b]}, {"rank", i + 1}, {"score", found.event_scores[b]}};
    if (found.event_times) event["time"] = (*found.event_times)[b];
    out["events"].push_back(std::move(event));
  }
  out["stages"] = Json::array();
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    out["stages"].push_back({{"participant", cohort.participants[j]}, {"stage", found.stages[j]}});
  out["warnings"] = found.warnings;
  return out;
}

}  // namespace

std::string inference_csv(const std::vector<InferredCohort>& cohorts) {
  const bool several = cohorts.size() > 1;
  Table out;
  if (several) out.columns = {"cohort"};
  append(out.columns, {"kind", "name", "rank", "score", "time", "stage"});
  for (const auto& inferred : cohorts)
    add_rows(inferred, several ? std::vector<Cell>{inferred.file} : std::vector<Cell>(), out.rows);
  return render(out, TableFormat::csv);
}

std::string inference_json(const std::vector<InferredCohort>& cohorts, const std::string& plugin) {
  if (cohorts.size() == 1) return as_json(cohorts.front(), plugin).dump(2) + "\n";
  auto out = Json::array();
  for (const auto& inferred : cohorts) {
    Json entry{{"cohort", inferred.file}};
    entry.update(as_json(inferred, plugin));
    out.push_back(std::move(entry));
  }
  return out.dump(2) + "\n";
}

}  // namespace tempo
