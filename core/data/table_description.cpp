#include "data/table_description.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "data/description/sections.hpp"
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
baseline = ["bl", "m00", "sc"]
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
diagnosis = { column = "DX_bl", healthy = ["CN", "NL"], diseased = ["EMCI", "LMCI", "MCI", "AD", "Dementia"], drop = ["SMC", ""] }
)toml";

/// What columns of the preset are called elsewhere, besides another case: in tables of visits
/// without DX_bl, without PTID, and in TADPOLE.
const std::map<std::string, std::vector<std::string>> kOtherNames{
    {"PTID", {"RID"}},
    {"DX_bl", {"DX"}},
    {"ABETA", {"ABETA_UPENNBIOMK9_04_19_17"}},
    {"TAU", {"TAU_UPENNBIOMK9_04_19_17"}},
    {"PTAU", {"PTAU_UPENNBIOMK9_04_19_17"}}};

/// Lets the columns that the preset names, and no key of the user, have other names.
void add_other_names(TableDescription& description) {
  const auto add = [](TableDescription::Named& column) {
    if (!column.given() || !column.is_from_preset()) return;
    column.others = {column.text};
    if (const auto found = kOtherNames.find(column.text); found != kOtherNames.end())
      column.others.insert(column.others.end(), found->second.begin(), found->second.end());
  };
  for (auto* column : {&description.participant, &description.visit_column, &description.diagnosis})
    add(*column);
  for (auto& biomarker : description.biomarkers) {
    add(biomarker.column);
    add(biomarker.over);
  }
}

/// What `paper = true` says besides: as the published script has it, values beyond what an assay
/// measures are missing.
constexpr const char* kAsPublished = R"toml(
censored = "missing"
)toml";

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
  const auto take = [&](const char* entries) {
    for (const auto& entry :
         read_toml_text(entries, std::string(TableDescription::kPresetPlace), problems).entries) {
      const bool is_of_visit = entry.key == "visit_column" || entry.key == "baseline";
      if (out.find(entry.key) == nullptr && !(has_visit_table && is_of_visit))
        out.entries.push_back(entry);
    }
  };
  const auto* paper = table.find("paper");
  const auto* is_asked = paper == nullptr ? nullptr : std::get_if<bool>(&paper->value);
  if (is_asked != nullptr && *is_asked) take(kAsPublished);
  take(kAdnimerge);
  return out;
}

/// A description, and whether the header of its table can be looked at whatever else is wrong: no
/// fault is one of format or columns, and no unknown key may have been meant as one of these.
struct Described {
  TableDescription description;
  bool format_is_sound = false;
};

Described describe(const ParameterTable& settings, const std::filesystem::path& folder,
                   Problems& problems, Labels labels) {
  Problems found;
  const auto table = with_preset(settings, found);
  Parameters keys(table, "the description", found);
  TableDescription out;
  out.place = table.place;
  keys.integer("schema", 1, {.low = 1, .high = 1}, "layout of this file: 1");
  keys.raw("preset", "text", "what the keys below are unless given");
  if (keys.flag("paper", false, "with a preset: treat values as its published script does") &&
      table.find("preset") == nullptr)
    keys.complain("paper", "'paper' is read with a preset only");
  const auto file = keys.text("file", std::nullopt, "the table, relative to this file");
  if (!file.empty()) out.file = (folder / file).lexically_normal();
  read_format(keys, table, out);
  read_columns(keys, out);
  const bool has_format = !file.empty() && found.empty();
  read_visits(keys, table, out);
  out.drop_copies =
      keys.choice("repeated_rows", "refuse", {"refuse", "drop"},
                  "what is done with a row that is equal to an earlier one") == "drop";
  out.missing = read_enum<TableDescription::Missing>(
      keys, "missing", {"refuse", "drop", "marginal", "mean"}, "what is done where values lack");
  out.missing_markers = keys.texts("missing_markers", {{"NA", "NaN", "nan"}},
                                   "what stands for a missing value, beside nothing");
  out.has_own_markers = settings.find("missing_markers") != nullptr;
  out.censored = read_enum<TableDescription::Censored>(
      keys, "censored", {"error", "clamp", "missing"}, "what is done with values such as >1700");
  read_diagnosis(keys, labels, out);
  read_adjustment(keys, out);
  if (out.missing == TableDescription::Missing::drop &&
      out.missing_covariates == TableDescription::MissingCovariate::mean)
    keys.complain("adjust",
                  "missing = \"drop\" leaves out who lacks a covariate, so that 'missing' "
                  "of 'adjust' cannot be \"mean\"");
  const auto before_unread = found.size();
  keys.report_unread();
  const bool has_unknown_keys = found.size() > before_unread;
  check_roles(out, found);
  add_other_names(out);
  problems.append(found);
  return {std::move(out), has_format && !has_unknown_keys};
}

}  // namespace

TableDescription read_table_description(const std::filesystem::path& path, Problems& problems,
                                        Labels labels) {
  Problems found;
  const auto table = read_toml(path, found);
  TableDescription out;
  if (found.empty()) {
    auto [description, format_is_sound] = describe(table, path.parent_path(), found, labels);
    if (!found.empty() && format_is_sound) check_table_header(description, found);
    out = std::move(description);
  }
  problems.append(found);
  return out;
}

TableDescription table_description_from(const ParameterTable& table,
                                        const std::filesystem::path& folder, Problems& problems) {
  return describe(table, folder, problems, Labels::needed).description;
}

}  // namespace tempo
