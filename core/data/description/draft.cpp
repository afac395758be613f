#include "data/description/draft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "data/csv_rows.hpp"
#include "data/table_description.hpp"
#include "data/table_format.hpp"
#include "data/text_file.hpp"
#include "model/lower_case.hpp"

namespace tempo {
namespace {

using Texts = std::vector<std::string>;

bool is_among(const Texts& words, const std::string& text) {
  return std::find(words.begin(), words.end(), in_lower_case(text)) != words.end();
}

/// The column that is called by the likeliest of these names.
std::optional<std::size_t> find_column(const Texts& header, const Texts& names) {
  for (const auto& name : names)
    for (std::size_t c = 0; c < header.size(); ++c)
      if (in_lower_case(header[c]) == name) return c;
  return std::nullopt;
}

/// As a text of TOML, which is written as one of JSON.
std::string quoted(const std::string& text) { return canonical_json(ParameterValue{{}, text}); }

std::string list_of(const Texts& texts) {
  Texts out;
  for (const auto& text : texts) out.push_back(quoted(text));
  return out.empty() ? "[\"...\"]" : fmt::format("[{}]", fmt::join(out, ", "));
}

/// A table's header, and what occurs in its column of diagnoses.
struct Look {
  Texts header;
  std::optional<std::size_t> diagnosis;  // column
  std::set<std::string> diagnoses;
};

Look look_at(std::string_view text, const std::string& name, Problems& problems) {
  Look out;
  const auto take = [&](const CsvRow& row) {
    if (out.header.empty()) {
      for (const auto& field : row) out.header.push_back(field.text);
      out.diagnosis = find_column(out.header, {"dx", "diagnosis", "dx_bl", "dx.bl", "group",
                                               "status", "diseased", "label"});
    } else if (out.diagnosis && *out.diagnosis < row.size() && !row[*out.diagnosis].text.empty()) {
      out.diagnoses.insert(row[*out.diagnosis].text);
    }
  };
  for_each_csv_row(text, name, problems, take, format_of(text, TableDescription()).csv);
  return out;
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
  const auto participant = find_column(
      look.header, {"participant", "participant_id", "ptid", "subject", "subject_id", "rid", "id"});
  Texts healthy, diseased;
  constexpr std::size_t kMostDiagnoses = 20;  // beyond, it is no column of diagnoses
  if (look.diagnoses.size() <= kMostDiagnoses)
    for (const auto& name : look.diagnoses)
      (is_among({"cn", "nc", "nl", "hc", "control", "controls", "healthy", "normal", "0", "no"},
                name)
           ? healthy
           : diseased)
          .push_back(name);
  return fmt::format(
      "file        = {}\nparticipant = {}\ndiagnosis   = {{ column = {}, healthy = {}, diseased = {} }}\n",
      quoted(table.filename().string()), quoted(participant ? look.header[*participant] : "..."),
      quoted(look.diagnosis ? look.header[*look.diagnosis] : "..."), list_of(healthy),
      list_of(diseased));
}

}  // namespace tempo
