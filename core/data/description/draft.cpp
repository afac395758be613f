#include "data/description/draft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "data/csv_rows.hpp"
#include "data/table_description.hpp"
#include "data/table_format.hpp"
#include "data/text_file.hpp"
#include "model/lower_case.hpp"
#include "model/printable.hpp"

namespace tempo {
namespace {

using Texts = std::vector<std::string>;
using FoundColumn = std::optional<std::size_t>;

bool is_among(const Texts& words, const std::string& text) {
  return std::find(words.begin(), words.end(), in_lower_case(text)) != words.end();
}

/// A name in lower case with `_` for other signs.
std::string name_for_comparison(const std::string& name) {
  auto out = in_lower_case(name);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == ' ' || c == '.' || c == '-' || c == '/'; },
      '_');
  return out;
}

/// The column that is called by the likeliest of these names.
FoundColumn find_column(const Texts& header, const Texts& names) {
  for (const auto& name : names)
    for (std::size_t c = 0; c < header.size(); ++c)
      if (name_for_comparison(header[c]) == name) return c;
  return std::nullopt;
}

/// As TOML has texts: like JSON, but for one character that it wants written out.
std::string quoted(const std::string& text) {
  auto out = canonical_json(ParameterValue{{}, text});
  constexpr std::string_view kDelete = "\x7F";
  for (auto at = out.find(kDelete); at != std::string::npos; at = out.find(kDelete, at))
    out.replace(at, kDelete.size(), "\\u007f");
  return out;
}

std::string list_of(const Texts& texts) {
  Texts out;
  for (const auto& text : texts) out.push_back(quoted(text));
  return out.empty() ? "[\"...\"]" : fmt::format("[{}]", fmt::join(out, ", "));
}

/// A table's header, where its columns may stand, and what occurs in them.
struct Look {
  Texts header;
  FoundColumn participant, diagnosis, visit, biomarker, value;
  std::set<std::string> participants, diagnoses, visits;
  std::size_t rows = 0;

  bool has_several_rows() const { return participant && participants.size() < rows; }
  bool is_long() const { return has_several_rows() && biomarker && value; }
};

void look_at_header(const CsvRow& row, Look& look) {
  for (const auto& field : row) look.header.push_back(field.text);
  look.participant =
      find_column(look.header, {"participant", "participant_id", "participantid", "ptid",
                                "subject",     "subject_id",     "subjectid",     "subj",
                                "patient",     "patient_id",     "patientid",     "patienten_id",
                                "pat_id",      "proband",        "probanden_id",  "naccid",
                                "rid",         "study_id",       "case_id",       "record_id",
                                "id"});
  look.diagnosis = find_column(
      look.header, {"dx", "diagnosis", "diagnose", "dx_bl", "clinical_diagnosis", "research_group",
                    "naccudsd", "group", "gruppe", "cohort", "status", "diseased", "label"});
  look.visit = find_column(
      look.header, {"viscode", "viscode2", "visit", "visit_code", "visit_id", "redcap_event_name",
                    "event_name", "session", "timepoint", "wave", "visite", "naccvnum", "examdate",
                    "exam_date", "visit_date", "date", "month"});
  look.biomarker =
      find_column(look.header, {"biomarker", "marker", "test", "measure", "analyte", "parameter"});
  look.value = find_column(look.header, {"value", "measurement", "result", "wert", "score"});
}

void look_at_row(const CsvRow& row, Look& look) {
  ++look.rows;
  for (const auto& [column, texts] : {std::pair(look.participant, &look.participants),
                                      {look.diagnosis, &look.diagnoses},
                                      {look.visit, &look.visits}})
    if (column && *column < row.size() && !row[*column].text.empty())
      texts->insert(row[*column].text);
}

Look look_at(std::string_view text, const std::string& name, Problems& problems) {
  Look out;
  for_each_csv_row(
      text, name, problems,
      [&](const CsvRow& row) {
        out.header.empty() ? look_at_header(row, out) : look_at_row(row, out);
      },
      format_of(text, TableDescription()).csv);
  return out;
}

std::string name_of(const FoundColumn& column, const Look& look) {
  return quoted(column ? look.header[*column] : "...");
}

std::string draft_of_diagnosis(const Look& look) {
  constexpr std::size_t kMostDiagnoses = 20;  // beyond, it is no column of diagnoses
  Texts healthy, diseased;
  if (look.diagnoses.size() <= kMostDiagnoses)
    for (const auto& name : look.diagnoses)
      (is_among({"cn", "nc", "nl", "hc", "control", "controls", "healthy", "normal", "nondemented",
                 "gesund", "kontrolle", "cognitively normal", "0", "no", "false"},
                name)
           ? healthy
           : diseased)
          .push_back(name);
  return fmt::format("{{ column = {}, healthy = {}, diseased = {} }}",
                     name_of(look.diagnosis, look), list_of(healthy), list_of(diseased));
}

/// Which visit of several is kept: the one that is called as baselines are, or the first.
std::string draft_of_visit(const Look& look) {
  for (const auto* first : {"bl", "baseline", "base", "sc", "v1", "v01"})
    for (const auto& visit : look.visits)
      if (const auto name = in_lower_case(visit); name == first || name.starts_with("baseline"))
        return fmt::format("{{ column = {}, keep = \"baseline\", baseline = [{}] }}",
                           name_of(look.visit, look), quoted(visit));
  return fmt::format("{{ column = {}, keep = \"first\" }}", name_of(look.visit, look));
}

}  // namespace

bool is_table(const std::filesystem::path& file) {
  return is_among({".csv", ".tsv", ".tab", ".txt"}, file.extension().string());
}

std::string draft_of_description(const std::filesystem::path& table, Problems& problems) {
  const auto bytes = read_text_file(table, problems);
  if (!bytes) return {};
  const auto text = checked_text(*bytes, table.string(), problems);
  if (!text) return {};
  const auto look = look_at(*text, table.string(), problems);
  if (look.header.empty()) {
    problems.add({table.string()}, "is empty; expected a header and rows");
    return {};
  }
  auto out = fmt::format("file        = {}\n", quoted(table.filename().string()));
  if (look.is_long())
    out += fmt::format("layout      = \"long\"\nbiomarker   = {}\nvalue       = {}\n",
                       name_of(look.biomarker, look), name_of(look.value, look));
  out += fmt::format("participant = {}\ndiagnosis   = {}\n", name_of(look.participant, look),
                     draft_of_diagnosis(look));
  if (look.has_several_rows() && (!look.is_long() || look.visit))
    out += fmt::format("visit       = {}\n", draft_of_visit(look));
  if (out.find("column = \"...\"") != std::string::npos || !look.participant)
    out += fmt::format("# columns: {}\n",
                       printable(fmt::format("{}", fmt::join(look.header, ", ")), ""));
  return out;
}

}  // namespace tempo
