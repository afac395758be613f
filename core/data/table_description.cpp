#include "data/table_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "data/table_header.hpp"
#include "data/toml_table.hpp"

namespace tempo {
namespace {

/// What a description with `preset = "adnimerge"` says unless it says otherwise. The names on the
/// left are those of the shipped table adni-12. Participants with significant memory concern (SMC)
/// are neither controls nor patients of the paper's cohort.
constexpr const char* kAdnimerge = R"toml(
participant = "PTID"
visit_column = "VISCODE"
visit = "baseline"
baseline = ["bl"]
missing = "drop"
missing_markers = ["NA", "NaN", "nan", "-4", "-1"]
censored = "clamp"
biomarkers = [
  "ADAS13", "MMSE", "RAVLT_immediate", "ABETA", "TAU", "PTAU",
  { name = "VentricleNorm", column = "Ventricles", over = "ICV" },
  { name = "HippocampusNorm", column = "Hippocampus", over = "ICV" },
  { name = "WholeBrainNorm", column = "WholeBrain", over = "ICV" },
  { name = "EntorhinalNorm", column = "Entorhinal", over = "ICV" },
  { name = "FusiformNorm", column = "Fusiform", over = "ICV" },
  { name = "MidTempNorm", column = "MidTemp", over = "ICV" },
]
diagnosis = { column = "DX_bl", healthy = ["CN"], diseased = ["EMCI", "LMCI", "AD"], drop = ["SMC", ""] }
)toml";

using Named = TableDescription::Named;

/// The user's table above the preset that it names.
ParameterTable with_preset(const ParameterTable& table, Problems& problems) {
  const auto* preset = table.find("preset");
  if (preset == nullptr) return table;
  const std::vector<std::string> known{"adnimerge"};
  const auto* name = std::get_if<std::string>(&preset->value);
  if (name == nullptr || *name != known[0]) {
    problems.add(preset->place,
                 name == nullptr
                     ? fmt::format("'preset' must be {}, not {}", one_of(known), kind_of(*preset))
                     : fmt::format("'preset' must be {}, not '{}'{}", one_of(known), *name,
                                   did_you_mean(*name, known)));
    return table;
  }
  auto out = table;
  const auto* visit = table.find("visit");
  const bool has_visit_table =
      visit != nullptr && std::holds_alternative<ParameterTable>(visit->value);
  for (const auto& entry : read_toml_text(kAdnimerge, "preset 'adnimerge'", problems).entries) {
    const bool is_of_visit = entry.key == "visit_column" || entry.key == "baseline";
    if (table.find(entry.key) == nullptr && !(has_visit_table && is_of_visit))
      out.entries.push_back(entry);
  }
  return out;
}

class Reader {
 public:
  Reader(const ParameterTable& table, const std::filesystem::path& folder, Problems& problems,
         Labels labels)
      : labels_(labels),
        table_(table),
        folder_(folder),
        problems_(problems),
        keys_(table, "the description", problems) {
    out_.place = table.place;
  }

  TableDescription read() {
    keys_.integer("schema", 1, {.low = 1, .high = 1}, "layout of this file: 1");
    keys_.raw("preset", "text", "what the keys below are unless given");
    const auto file = keys_.text("file", std::nullopt, "the table, relative to this file");
    if (!file.empty()) out_.file = (folder_ / file).lexically_normal();
    read_format();
    read_columns();
    format_is_sound_ = format_is_sound_ && !file.empty() && problems_.empty();
    read_visits();
    out_.missing = static_cast<TableDescription::Missing>(
        index("missing", {"refuse", "drop", "marginal", "mean"}, "what is done where values lack"));
    out_.missing_markers = keys_.texts("missing_markers", {{"NA", "NaN", "nan"}},
                                       "what stands for a missing value, beside nothing");
    out_.censored = static_cast<TableDescription::Censored>(
        index("censored", {"error", "clamp", "missing"}, "what is done with values such as >1700"));
    read_diagnosis();
    read_adjustment();
    const auto before_unread = problems_.size();
    keys_.report_unread();
    format_is_sound_ = format_is_sound_ && problems_.size() == before_unread;
    check_roles();
    return std::move(out_);
  }

  /// Whether the header can be looked at whatever else is wrong: no fault is one of format or
  /// columns, and no key is one that may have been meant to be about them.
  bool format_is_sound() const { return format_is_sound_; }

 private:
  std::size_t index(std::string_view key, const std::vector<std::string>& options,
                    std::string_view help) {
    const auto chosen = keys_.choice(key, options.front(), options, help);
    return static_cast<std::size_t>(std::find(options.begin(), options.end(), chosen) -
                                    options.begin());
  }
  Named named(Parameters& keys, std::string_view key, std::optional<std::string> fallback,
              std::string_view help) {
    auto text = keys.text(key, std::move(fallback), help);
    return {std::move(text), keys.place_of(key)};
  }
  /// A list of texts that may be empty ones, each with its place.
  std::vector<Named> named_list(Parameters& keys, std::string_view key, std::string_view help,
                                bool may_be_empty = false) {
    std::vector<Named> out;
    const auto* value = keys.raw(key, "list of texts", help, "[]");
    if (value == nullptr) return out;
    const auto* items = std::get_if<ParameterValue::Array>(&value->value);
    if (items == nullptr)
      keys.complain(key,
                    fmt::format("'{}' must be a list of strings, not {}", key, kind_of(*value)));
    else
      for (const auto& item : *items) {
        const auto* text = std::get_if<std::string>(&item.value);
        if (text == nullptr)
          problems_.add(item.place,
                        fmt::format("'{}' must hold strings, not {}", key, kind_of(item)));
        else if (text->empty() && !may_be_empty)
          problems_.add(item.place, fmt::format("'{}' must hold non-empty strings", key));
        else
          out.push_back({*text, item.place});
      }
    return out;
  }

  void read_format() {
    out_.layout = static_cast<TableDescription::Layout>(
        index("layout", {"wide", "long"}, "a row per visit, or one per visit and biomarker"));
    const auto separator = keys_.choice("separator", "auto", {"auto", ",", ";", "|", "tab"},
                                        "what stands between fields");
    out_.separator = separator == "auto" ? "" : separator == "tab" ? "\t" : separator;
    const auto decimal = keys_.choice("decimal", "auto", {"auto", ".", ","}, "the decimal point");
    if (decimal != "auto") out_.decimal = decimal[0];
    if (table_.find("comment") != nullptr)
      out_.comment = keys_.text("comment", "", "lines that begin with it are passed over");
    else
      keys_.raw("comment", "text", "lines that begin with it are passed over");
    out_.skip = static_cast<std::size_t>(keys_.integer("skip", 0, {.low = 0, .high = 1'000'000},
                                                       "lines at the top that are passed over"));
    out_.header = keys_.texts("header", std::vector<std::string>{},
                              "names of the columns, of a file that does not give them");
  }

  void read_columns() {
    out_.participant = named(keys_, "participant", "", "column of ids");
    out_.row_ids = keys_.flag("row_ids", false, "number participants by row, from 1");
    if (out_.row_ids && out_.participant.given())
      keys_.complain("row_ids",
                     "'row_ids' numbers the participants that 'participant' names; give "
                     "one of the two");
    if (!out_.row_ids && !out_.participant.given())
      problems_.add(out_.place,
                    "missing key 'participant' in the description; expected the column "
                    "of ids, or row_ids = true where rows have none");
    const bool tall = out_.layout == TableDescription::Layout::tall;
    out_.biomarker = named(keys_, "biomarker", tall ? "biomarker" : "", "long: column of names");
    out_.value = named(keys_, "value", tall ? "value" : "", "long: column of measurements");
    if (!tall)
      for (const auto& [key, column] :
           {std::pair("biomarker", out_.biomarker), {"value", out_.value}})
        if (column.given())
          keys_.complain(key, fmt::format("'{}' is a column of long tables; expected layout = "
                                          "\"long\", or no such key",
                                          key));
    if (tall && out_.row_ids)
      keys_.complain("row_ids",
                     "a long table has many rows of a participant: it needs 'participant'");
    read_biomarkers();
    out_.ignore = named_list(keys_, "ignore", "columns that are no biomarkers");
  }

  void read_biomarkers() {
    const auto* value = keys_.raw("biomarkers", "list", "columns, or { name, column, over }");
    if (value == nullptr) return;
    const auto* items = std::get_if<ParameterValue::Array>(&value->value);
    if (items == nullptr) {
      keys_.complain("biomarkers",
                     fmt::format("'biomarkers' must be a list, not {}", kind_of(*value)));
      return;
    }
    if (items->empty()) keys_.complain("biomarkers", "'biomarkers' must not be empty");
    std::set<std::string> names;
    for (const auto& item : *items) {
      TableDescription::Biomarker found;
      if (const auto* text = std::get_if<std::string>(&item.value)) {
        found = {*text, {*text, item.place}, {}};
        if (text->empty()) problems_.add(item.place, "'biomarkers' must hold non-empty strings");
      } else if (const auto* table = std::get_if<ParameterTable>(&item.value)) {
        Parameters nested(*table, "an entry of 'biomarkers'", problems_);
        found.name = nested.text("name", std::nullopt, "what it is called");
        found.column = named(nested, "column", found.name, "where it stands");
        found.over = named(nested, "over", "", "column it is divided by");
        nested.report_unread();
      } else {
        problems_.add(item.place, fmt::format("'biomarkers' must hold strings or tables, not {}",
                                              kind_of(item)));
        continue;
      }
      if (!found.name.empty() && !names.insert(found.name).second)
        problems_.add(item.place, fmt::format("biomarker '{}' is given twice", found.name));
      out_.biomarkers.push_back(std::move(found));
    }
  }

  void read_visits() {
    const std::vector<std::string> options{"first", "baseline", "last"};
    out_.visit_column = named(keys_, "visit_column", "", "column that tells visits apart");
    const auto* given = keys_.raw("visit", "choice", "the visit of a participant that is kept");
    out_.baseline = keys_.texts("baseline", std::vector<std::string>{},
                                "what the visit column says of a baseline visit");
    if (const auto* table =
            given == nullptr ? nullptr : std::get_if<ParameterTable>(&given->value)) {
      read_visit_table(*table);
      return;
    }
    if (given != nullptr) {
      const auto* text = std::get_if<std::string>(&given->value);
      const auto at =
          text == nullptr ? options.end() : std::find(options.begin(), options.end(), *text);
      if (at == options.end()) {
        keys_.complain("visit", text == nullptr
                                    ? fmt::format("'visit' must be {}, not {}", one_of(options),
                                                  kind_of(*given))
                                    : fmt::format("'visit' must be {}, not '{}'{}", one_of(options),
                                                  *text, did_you_mean(*text, options)));
        return;
      }
      out_.visit = static_cast<TableDescription::Visit>(1 + (at - options.begin()));
      if (!out_.visit_column.given())
        keys_.complain("visit", "'visit' needs 'visit_column', the column that tells visits apart");
    }
    const bool by_name = out_.visit == TableDescription::Visit::baseline;
    if (by_name && out_.baseline.empty())
      keys_.complain("visit",
                     "visit = \"baseline\" needs 'baseline', what the visit column says of "
                     "such a visit: baseline = [\"bl\"]");
    if (!by_name && !out_.baseline.empty())
      keys_.complain("baseline", "'baseline' is read with visit = \"baseline\" only");
  }

  /// `visit = { column = "TIME", keep = "first" }`: the three keys in one.
  void read_visit_table(const ParameterTable& table) {
    const std::vector<std::string> options{"first", "baseline", "last"};
    for (const auto* key : {"visit_column", "baseline"})
      if (table_.find(key) != nullptr)
        keys_.complain(
            key, fmt::format("'{}' and the table 'visit' say the same; give one of the two", key));
    Parameters nested(table, "'visit'", problems_);
    out_.visit_column = named(nested, "column", std::nullopt, "column that tells visits apart");
    const auto keep = nested.choice("keep", std::nullopt, options, "the visit that is kept");
    out_.baseline = nested.texts("baseline", std::vector<std::string>{},
                                 "what the column says of a baseline visit");
    nested.report_unread();
    const auto at = std::find(options.begin(), options.end(), keep);
    if (at == options.end()) return;
    out_.visit = static_cast<TableDescription::Visit>(1 + (at - options.begin()));
    if (keep == "baseline" && out_.baseline.empty())
      nested.complain("keep",
                      "keep = \"baseline\" needs 'baseline', what the column says of such a visit: "
                      "baseline = [\"bl\"]");
    if (keep != "baseline" && !out_.baseline.empty())
      nested.complain("baseline", "'baseline' is read with keep = \"baseline\" only");
  }

  void read_diagnosis() {
    const auto* value = keys_.raw("diagnosis", "table", "column, and which labels are what");
    const auto* table = value == nullptr ? nullptr : std::get_if<ParameterTable>(&value->value);
    if (value == nullptr && labels_ == Labels::ignored) return;
    if (table == nullptr) {
      const std::string expected = "{ column = \"DX\", healthy = [\"CN\"], diseased = [\"AD\"] }";
      if (value == nullptr)
        problems_.add(
            out_.place,
            "missing key 'diagnosis' in the description; expected diagnosis = " + expected);
      else
        keys_.complain("diagnosis", fmt::format("'diagnosis' must be a table such as {}, not {}",
                                                expected, kind_of(*value)));
      return;
    }
    out_.diagnosis_place = value->place;
    Parameters nested(*table, "[diagnosis]", problems_);
    out_.diagnosis = named(nested, "column", std::nullopt, "column of labels");
    out_.healthy = named_list(nested, "healthy", "labels of controls", true);
    out_.diseased = named_list(nested, "diseased", "labels of patients", true);
    out_.drop = named_list(nested, "drop", "labels of those to leave out", true);
    nested.report_unread();
    std::map<std::string, std::string> seen;
    for (const auto& [role, labels] :
         {std::pair("healthy", &out_.healthy), {"diseased", &out_.diseased}, {"drop", &out_.drop}})
      for (const auto& label : *labels)
        if (const auto [at, is_new] = seen.emplace(label.text, role); !is_new)
          problems_.add(label.place, fmt::format("label '{}' is given twice, in '{}' and in '{}'",
                                                 label.text, at->second, role));
    for (const auto& [role, labels] :
         {std::pair("healthy", &out_.healthy), {"diseased", &out_.diseased}})
      if (table->find(role) == nullptr)
        problems_.add(
            table->place,
            fmt::format("missing key '{}' in [diagnosis]; expected a list of labels", role));
  }

  void read_adjustment() {
    const auto* value = keys_.raw("adjust", "table", "what biomarkers are adjusted for");
    if (value == nullptr) return;
    const auto* table = std::get_if<ParameterTable>(&value->value);
    if (table == nullptr) {
      keys_.complain("adjust", fmt::format("'adjust' must be a table with 'covariates', not {}",
                                           kind_of(*value)));
      return;
    }
    Parameters nested(*table, "[adjust]", problems_);
    out_.covariates = named_list(nested, "covariates", "columns to adjust for");
    if (table->find("covariates") == nullptr)
      nested.complain("covariates", "[adjust] needs 'covariates', the columns to adjust for");
    std::set<std::string> names;
    for (const auto& covariate : out_.covariates)
      if (!names.insert(covariate.text).second)
        problems_.add(covariate.place,
                      fmt::format("covariate '{}' is given twice", covariate.text));
    if (const auto* levels =
            nested.raw("levels", "table", "levels of each categorical covariate")) {
      const auto* by_name = std::get_if<ParameterTable>(&levels->value);
      if (by_name == nullptr) {
        nested.complain("levels",
                        fmt::format("'levels' must be a table, not {}", kind_of(*levels)));
      } else {
        read_levels(*by_name, {names.begin(), names.end()});
      }
    }
    nested.report_unread();
  }

  void read_levels(const ParameterTable& table, const std::vector<std::string>& covariates) {
    Parameters nested(table, "'levels'", problems_);
    for (const auto& entry : table.entries) {
      const auto found = nested.texts(entry.key, std::nullopt, "");
      if (std::find(covariates.begin(), covariates.end(), entry.key) == covariates.end())
        problems_.add(entry.place,
                      fmt::format("'{}' is no covariate; expected {}{}", entry.key,
                                  one_of(covariates), did_you_mean(entry.key, covariates)));
      if (std::set<std::string>(found.begin(), found.end()).size() < found.size())
        problems_.add(entry.value.place, fmt::format("a level of '{}' is given twice", entry.key));
      else if (found.size() < 2)
        problems_.add(entry.value.place,
                      fmt::format("'{}' needs two levels or more, the reference first", entry.key));
      out_.levels[entry.key] = found;
    }
  }

  /// A column is one thing.
  void check_roles() {
    std::map<std::string, std::string> roles;
    const auto take = [&](const Named& column, const std::string& role) {
      if (!column.given()) return;
      const auto [at, is_new] = roles.emplace(column.text, role);
      if (!is_new)
        problems_.add(column.place, fmt::format("column '{}' is {} and cannot be {} as well",
                                                column.text, at->second, role));
    };
    take(out_.participant, "'participant'");
    take(out_.visit_column, "'visit_column'");
    take(out_.diagnosis, "the column of 'diagnosis'");
    take(out_.biomarker, "'biomarker'");
    take(out_.value, "'value'");
    for (const auto& column : out_.ignore) take(column, "one of 'ignore'");
    if (out_.layout == TableDescription::Layout::wide)
      for (const auto& biomarker : out_.biomarkers) {
        const auto role = roles.find(biomarker.column.text);
        if (role != roles.end())
          problems_.add(biomarker.column.place,
                        fmt::format("column '{}' is {} and cannot be a biomarker as well",
                                    biomarker.column.text, role->second));
      }
    if (out_.layout == TableDescription::Layout::wide)
      for (const auto& covariate : out_.covariates)
        if (std::any_of(out_.biomarkers.begin(), out_.biomarkers.end(),
                        [&](const auto& known) { return known.column.text == covariate.text; }))
          problems_.add(covariate.place,
                        fmt::format("column '{}' is a biomarker and cannot be adjusted for as well",
                                    covariate.text));
  }

  const Labels labels_;
  const ParameterTable& table_;
  const std::filesystem::path& folder_;
  Problems& problems_;
  Parameters keys_;
  TableDescription out_;
  bool format_is_sound_ = true;
};

/// A description, and whether the header of the table can be looked at whatever else is wrong.
std::pair<TableDescription, bool> describe(const ParameterTable& table,
                                           const std::filesystem::path& folder, Problems& problems,
                                           Labels labels) {
  Problems found;
  const auto whole = with_preset(table, found);
  Reader reader(whole, folder, found, labels);
  auto out = reader.read();
  problems.append(found);
  return {std::move(out), reader.format_is_sound()};
}

}  // namespace

TableDescription read_table_description(const std::filesystem::path& path, Problems& problems,
                                        Labels labels) {
  Problems found;
  const auto table = read_toml(path, found);
  TableDescription out;
  if (found.empty()) {
    const auto [description, format_is_sound] = describe(table, path.parent_path(), found, labels);
    if (!found.empty() && format_is_sound) check_table_header(description, found);
    out = description;
  }
  problems.append(found);
  return out;
}

TableDescription table_description_from(const ParameterTable& table,
                                        const std::filesystem::path& folder, Problems& problems) {
  return describe(table, folder, problems, Labels::needed).first;
}

}  // namespace tempo
