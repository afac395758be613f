#include "report/inference_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "data/csv_rows.hpp"
#include "tempo/order.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

/// @param first  cells before those of the cohort
std::string csv_rows(const InferredCohort& inferred, const std::string& first) {
  const auto& [file, cohort, found] = inferred;
  std::string out;
  const auto order = sequence_by_score(found.event_scores);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto b = order[i];
    const auto time =
        found.event_times ? fmt::format("{}", (*found.event_times)[b]) : std::string();
    out += fmt::format("{}event,{},{},{},{},\n", first, csv_field(cohort.biomarkers[b]), i + 1,
                       found.event_scores[b], time);
  }
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    out += fmt::format("{}stage,{},,,,{}\n", first, csv_field(cohort.participants[j]),
                       found.stages[j]);
  return out;
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
  std::string out =
      several ? "cohort,kind,name,rank,score,time,stage\n" : "kind,name,rank,score,time,stage\n";
  for (const auto& inferred : cohorts)
    out += csv_rows(inferred, several ? csv_field(inferred.file) + "," : std::string());
  return out;
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
