#include "report/staging_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/append.hpp"
#include "report/stage_posterior_text.hpp"
#include "report/subtype_text.hpp"
#include "report/table.hpp"

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

std::string staging_csv(const std::vector<StagingRow>& rows, bool has_subtypes) {
  Table out;
  out.columns = {"participant", "stage"};
  append(out.columns, stage_posterior_columns());
  if (has_subtypes) append(out.columns, subtype_columns());
  out.columns.emplace_back("note");
  for (const auto& [participant, staged] : rows) {
    auto& row = out.rows.emplace_back(std::vector<Cell>{participant, cell(staged.stage)});
    append(row, cells_of(staged.posterior));
    if (has_subtypes) append(row, cells_of_subtype(staged.subtypes));
    row.emplace_back(staged.note);
  }
  return render(out, TableFormat::csv);
}

std::string staging_json(const std::vector<StagingRow>& rows,
                         const std::vector<std::string>& warnings, const std::string& how) {
  using Json = nlohmann::ordered_json;
  Json out;
  out["how"] = how;
  out["stages"] = Json::array();
  for (const auto& [participant, staged] : rows) {
    Json item{{"participant", participant}, {"stage", nullptr}};
    if (staged.stage) item["stage"] = *staged.stage;
    add_subtype(item, staged.subtypes);
    add_to(item, staged.posterior);
    if (!staged.note.empty()) item["note"] = staged.note;
    out["stages"].push_back(std::move(item));
  }
  out["warnings"] = warnings;
  return out.dump(2) + "\n";
}

}  // namespace tempo
