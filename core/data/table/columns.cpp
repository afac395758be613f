#include "data/table/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "data/names.hpp"
#include "model/look_alike.hpp"
#include "model/lower_case.hpp"

namespace tempo {
namespace {

using Named = TableDescription::Named;

using Places = std::unordered_map<std::string_view, std::size_t>;

void check_names(const CsvRow& header, const std::vector<std::string>& names, const Places& places,
                 TableFaults& faults) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto first = places.at(names[i]);
    if (names[i].empty()) continue;  // nobody can ask for it
    if (first < i)
      faults.add(TableFault::header, header[i].offset, [&] {
        return fmt::format("column {} is named '{}' as column {} is", i + 1, names[i], first + 1);
      });
  }
}

/// Whether clinics call so what stays as it is in a participant's life.
bool names_what_lasts(const std::string& column) {
  static const std::set<std::string_view> known{
      "apoe",    "apoe4",     "birth_year", "birthyear", "birthdate",  "date_of_birth",
      "dob",     "ethnicity", "gender",     "genotype",  "geschlecht", "ptdob",
      "ptdobyy", "ptethcat",  "ptgender",   "ptraccat",  "race",       "sex"};
  return known.contains(in_lower_case(column));
}

/// Why a header may have one column: another separator stands in it, or it is a title.
std::string hint_at_one_column(const std::vector<std::string>& header) {
  if (header.size() != 1) return {};
  const auto& only = header.front();
  if (only.find_first_of(",;\t|") != std::string::npos)
    return "; 'separator' says what stands between fields";
  const bool has_blanks = only.find(' ') != std::string::npos;
  return fmt::format(
      "; a title above the header is passed over with skip = 1{}",
      has_blanks ? "; blanks between columns are not read: put commas or tabs there" : "");
}

/// Where a column stands; complains if it does not.
std::size_t find_column(const Named& asked, const std::vector<std::string>& header,
                        const Places& places, const TableInput& input) {
  if (!asked.given()) return kNone;
  if (const auto at = places.find(asked.text); at != places.end()) return at->second;
  constexpr std::size_t kShown = 8;
  // Of many faults in a wide table the first are enough to see what was meant.
  constexpr std::size_t kMostCompared = 1'000'000;
  const bool is_compared =
      header.size() > 1 && header.size() * (input.problems.size() + 1) < kMostCompared;
  std::vector<std::string> shown;
  for (const auto& name : header)
    if (shown.size() < kShown) shown.push_back(showing_hidden(name));
  input.problems.add(
      asked.place,
      fmt::format("{} has no column '{}'{} (it has {}{})", input.name, asked.text,
                  is_compared ? did_you_mean(asked.text, header) : std::string(),
                  fmt::join(shown, ", "),
                  header.size() > kShown ? fmt::format(" and {} more", header.size() - kShown)
                                         : hint_at_one_column(header)));
  return kNone;
}

/// The columns of a wide row that are measurements: those asked for, or all that are nothing else.
std::vector<std::size_t> find_sources(const TableColumns& columns, const Places& places,
                                      const TableInput& input) {
  const auto& asked = input.description.biomarkers;
  std::vector<std::size_t> sources;
  std::vector<bool> is_source(columns.header.size(), false);
  for (const auto& biomarker : asked)
    for (const auto* named : {&biomarker.column, &biomarker.over}) {
      const auto at = find_column(*named, columns.header, places, input);
      if (at == kNone || is_source[at]) continue;
      is_source[at] = true;
      sources.push_back(at);
    }
  if (!asked.empty()) return sources;
  std::vector<bool> taken;
  for (const auto& name : columns.header) taken.push_back(name.empty());
  for (const auto at : {columns.participant, columns.visit, columns.diagnosis})
    if (at != kNone) taken[at] = true;
  for (const auto* others : {&columns.covariates, &columns.ignored})
    for (const auto at : *others)
      if (at != kNone) taken[at] = true;
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (!taken[i]) sources.push_back(i);
  if (sources.empty())
    input.problems.add(input.description.place,
                       fmt::format("{} has no column left for a biomarker", input.name));
  return sources;
}

/// Where a long table says the units of its measurements.
std::size_t find_unit(const std::vector<std::string>& header) {
  static const std::set<std::string_view> known{"einheit", "unit", "units", "uom"};
  const auto at = std::find_if(header.begin(), header.end(), [](const std::string& name) {
    return known.contains(in_lower_case(name));
  });
  return at == header.end() ? kNone : static_cast<std::size_t>(at - header.begin());
}

/// What each column is used for, or empty.
std::vector<std::string> uses_of(const TableColumns& columns) {
  std::vector<std::string> why(columns.header.size());
  for (const auto at : columns.described) why[at] = "described";
  for (const auto& [at, use] : {std::pair(columns.participant, "participant"),
                                {columns.visit, "visit"},
                                {columns.diagnosis, "diagnosis"},
                                {columns.biomarker, "names of biomarkers"},
                                {columns.value, "measurements"}})
    if (at != kNone) why[at] = use;
  for (const auto at : columns.covariates) why[at] = "covariate";
  for (const auto at : columns.ignored) why[at] = "ignored";
  for (const auto at : columns.sources) why[at] = "biomarker";
  return why;
}

/// Columns that are there and have no use.
std::vector<std::size_t> find_unused(const TableColumns& columns) {
  const auto why = uses_of(columns);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < why.size(); ++i)
    if (why[i].empty()) out.push_back(i);
  return out;
}

/// A name in lower case with `_` for `.`, as R has it.
std::string plain_name(const std::string& name) {
  auto out = in_lower_case(name);
  std::replace(out.begin(), out.end(), '.', '_');
  return out;
}

/// Gives columns that a preset knows by several names the first of them.
void rename_columns_of_preset(const TableDescription& description, TableColumns& columns) {
  auto& header = columns.header;
  const auto rename = [&](const Named& column) {
    if (std::find(header.begin(), header.end(), column.text) != header.end()) return;
    for (const auto& other : column.others) {
      const auto at = std::find_if(header.begin(), header.end(), [&](const std::string& name) {
        return plain_name(name) == plain_name(other);
      });
      if (at == header.end()) continue;
      columns.renamed.push_back(fmt::format("{} as {}", *at, column.text));
      *at = column.text;
      return;
    }
  };
  for (const auto* column :
       {&description.participant, &description.visit_column, &description.diagnosis})
    rename(*column);
  for (const auto& biomarker : description.biomarkers) {
    rename(biomarker.column);
    rename(biomarker.over);
  }
}

}  // namespace

CsvRow header_of(const TableDescription& description) {
  CsvRow header;
  for (const auto& name : description.header) header.push_back({name, 0});
  return header;
}

std::optional<TableColumns> find_table_columns(const CsvRow& header, const TableInput& input,
                                               const TableNumbers& numbers) {
  const auto& description = input.description;
  const bool is_a_row = description.header.empty();
  if (is_a_row && std::all_of(header.begin(), header.end(), [&](const CsvField& field) {
        return numbers.read(field.text).has_value();
      })) {
    input.faults.add(
        header.front().offset,
        "the header holds numbers only; a line of counts is passed over with skip = 1, and "
        "header = [...] names the columns of a file that does not");
    return std::nullopt;
  }
  const auto before = input.problems.size();
  TableColumns out;
  for (const auto& field : header) out.header.push_back(field.text);
  rename_columns_of_preset(description, out);
  const auto places = first_places(out.header);
  check_names(header, out.header, places, input.faults);
  const auto find = [&](const Named& named) {
    return find_column(named, out.header, places, input);
  };
  out.participant = find(description.participant);
  out.visit = find(description.visit_column);
  const bool has_diagnosis = std::find(out.header.begin(), out.header.end(),
                                       description.diagnosis.text) != out.header.end();
  if (input.labels == Labels::needed || has_diagnosis) out.diagnosis = find(description.diagnosis);
  out.biomarker = find(description.biomarker);
  out.value = find(description.value);
  for (const auto& covariate : description.covariates) out.covariates.push_back(find(covariate));
  for (const auto& name : description.described) out.described.push_back(find(name));
  for (const auto& name : description.ignore) out.ignored.push_back(find(name));
  if (input.is_long()) {
    out.unit = find_unit(out.header);
    out.unused = find_unused(out);
  } else {
    out.sources = find_sources(out, places, input);
  }
  for (std::size_t i = 0; i < out.header.size(); ++i)
    if (names_what_lasts(out.header[i])) out.unchanging.push_back(i);
  if (input.problems.size() > before) return std::nullopt;
  return out;
}

std::vector<std::string> other_columns(const TableColumns& columns) {
  const auto why = uses_of(columns);
  std::vector<std::string> out, unused;
  for (std::size_t i = 0; i < why.size(); ++i)
    if (why[i].empty() && !columns.header[i].empty())
      unused.push_back(columns.header[i]);
    else if (!why[i].empty() && why[i] != "biomarker")
      out.push_back(fmt::format("{} ({})", columns.header[i], why[i]));
  if (!unused.empty()) out.push_back(fmt::format("{} (not asked for)", in_short(unused)));
  return out;
}

}  // namespace tempo
