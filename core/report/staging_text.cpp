#include "report/staging_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "data/csv_rows.hpp"

namespace tempo {

std::vector<StagingRow> staging_rows(const Cohort& patients, const StagedPatients& found,
                                     const std::vector<std::vector<std::string>>& far,
                                     const std::vector<CohortTable::LeftOut>& left_out) {
  std::vector<StagingRow> rows;
  for (std::size_t j = 0; j < found.patients.size(); ++j) {
    auto& row = rows.emplace_back(StagingRow{patients.participants[j], found.patients[j]});
    auto& note = row.staged.note;
    if (!far[j].empty())
      note += fmt::format("{}far from all of the cohort's: {}", note.empty() ? "" : "; ",
                          fmt::join(far[j], ", "));
  }
  for (const auto& [participant, why] : left_out)
    rows.push_back({participant, {{}, {}, "left out: " + why}});
  return rows;
}

std::string staging_csv(const std::vector<StagingRow>& rows) {
  std::string out = "participant,stage,mean,low,high,note\n";
  for (const auto& [participant, staged] : rows) {
    const auto& [stage, posterior, note] = staged;
    out += csv_field(participant) + "," + (stage ? fmt::format("{}", *stage) : "") + ",";
    out += posterior ? fmt::format("{},{},{},", posterior->mean, posterior->low, posterior->high)
                     : std::string(",,,");
    out += (note.empty() ? note : csv_field(note)) + "\n";
  }
  return out;
}

std::string staging_json(const std::vector<StagingRow>& rows,
                         const std::vector<std::string>& warnings, const std::string& how) {
  using Json = nlohmann::ordered_json;
  Json out;
  out["how"] = how;
  out["stages"] = Json::array();
  for (const auto& [participant, staged] : rows) {
    const auto& [stage, posterior, note] = staged;
    Json item{{"participant", participant}, {"stage", nullptr}};
    if (stage) item["stage"] = *stage;
    if (posterior)
      item.update({{"mean", posterior->mean}, {"low", posterior->low}, {"high", posterior->high}});
    if (!note.empty()) item["note"] = note;
    out["stages"].push_back(std::move(item));
  }
  out["warnings"] = warnings;
  return out.dump(2) + "\n";
}

}  // namespace tempo
