#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "data/description/sections.hpp"

namespace tempo {
namespace {

using Named = TableDescription::Named;

void read_biomarkers(Parameters& keys, TableDescription& out) {
  const auto* value = keys.raw("biomarkers", "list", "columns, or { name, column, over }");
  if (value == nullptr) return;
  const auto* items = std::get_if<ParameterValue::Array>(&value->value);
  if (items == nullptr) {
    keys.complain("biomarkers",
                  fmt::format("'biomarkers' must be a list, not {}", kind_of(*value)));
    return;
  }
  if (items->empty()) keys.complain("biomarkers", "'biomarkers' must not be empty");
  std::set<std::string> names;
  for (const auto& item : *items) {
    TableDescription::Biomarker found;
    if (const auto* text = std::get_if<std::string>(&item.value)) {
      found = {*text, {*text, item.place}, {}};
      if (text->empty())
        keys.problems().add(item.place, "'biomarkers' must hold non-empty strings");
    } else if (const auto* table = std::get_if<ParameterTable>(&item.value)) {
      Parameters nested(*table, "an entry of 'biomarkers'", keys.problems());
      found.name = nested.text("name", std::nullopt, "what it is called");
      found.column = read_named(nested, "column", found.name, "where it stands");
      found.over = read_named(nested, "over", "", "column it is divided by");
      found.transform = read_enum<TableDescription::Transform>(nested, "transform", {"none", "log"},
                                                               "what is taken of its values");
      found.direction = read_enum<TableDescription::Direction>(
          nested, "direction", {"unknown", "rises", "falls"}, "where the disease moves it");
      nested.report_unread();
    } else {
      keys.problems().add(
          item.place,
          fmt::format("'biomarkers' must hold strings or tables, not {}", kind_of(item)));
      continue;
    }
    if (!found.name.empty() && !names.insert(found.name).second)
      keys.problems().add(item.place, fmt::format("biomarker '{}' is given twice", found.name));
    out.biomarkers.push_back(std::move(found));
  }
}

}  // namespace

TableDescription::Named read_named(Parameters& keys, std::string_view key,
                                   std::optional<std::string> fallback, std::string_view help) {
  auto text = keys.text(key, std::move(fallback), help);
  return {std::move(text), keys.place_of(key)};
}

std::vector<TableDescription::Named> read_named_list(Parameters& keys, std::string_view key,
                                                     std::string_view help) {
  std::vector<TableDescription::Named> out;
  const auto* value = keys.raw(key, "list of texts", help, "[]");
  if (value == nullptr) return out;
  const auto* items = std::get_if<ParameterValue::Array>(&value->value);
  if (items == nullptr) {
    keys.complain(key, fmt::format("'{}' must be a list of strings, not {}", key, kind_of(*value)));
    return out;
  }
  for (const auto& item : *items) {
    const auto* text = std::get_if<std::string>(&item.value);
    if (text == nullptr)
      keys.problems().add(item.place,
                          fmt::format("'{}' must hold strings, not {}", key, kind_of(item)));
    else if (text->empty())
      keys.problems().add(item.place, fmt::format("'{}' must hold non-empty strings", key));
    else
      out.push_back({*text, item.place});
  }
  return out;
}

void read_format(Parameters& keys, const ParameterTable& table, TableDescription& out) {
  out.layout = read_enum<TableDescription::Layout>(
      keys, "layout", {"wide", "long"}, "a row per visit, or one per visit and biomarker");
  const auto separator = keys.choice("separator", "auto", {"auto", ",", ";", "|", "tab"},
                                     "what stands between fields");
  out.separator = separator == "auto" ? "" : separator == "tab" ? "\t" : separator;
  const auto decimal = keys.choice("decimal", "auto", {"auto", ".", ","}, "the decimal point");
  if (decimal != "auto") out.decimal = decimal[0];
  const auto thousands = keys.choice("thousands", "none", {"none", ".", ",", "'", "space"},
                                     "what parts the digits of large numbers");
  if (thousands != "none") out.thousands = thousands == "space" ? ' ' : thousands[0];
  if (out.thousands && out.thousands == out.decimal)
    keys.complain("thousands",
                  fmt::format("'thousands' and 'decimal' are both '{}'; they cannot be the same",
                              *out.thousands));
  if (table.find("comment") != nullptr)
    out.comment = keys.text("comment", "", "lines that begin with it are passed over");
  else
    keys.raw("comment", "text", "lines that begin with it are passed over");
  out.skip = static_cast<std::size_t>(keys.integer("skip", 0, {.low = 0, .high = 1'000'000},
                                                   "lines at the top that are passed over"));
  out.header = keys.texts("header", std::vector<std::string>{},
                          "names of the columns, of a file that does not give them");
}

void read_columns(Parameters& keys, TableDescription& out) {
  out.participant = read_named(keys, "participant", "", "column of ids");
  out.row_ids = keys.flag("row_ids", false, "number participants by row, from 1");
  if (out.row_ids && out.participant.given())
    keys.complain("row_ids",
                  "'row_ids' numbers the participants that 'participant' names; give "
                  "one of the two");
  if (!out.row_ids && !out.participant.given())
    keys.problems().add(out.place,
                        "missing key 'participant' in the description; expected the column "
                        "of ids, or row_ids = true where rows have none");
  const bool tall = out.layout == TableDescription::Layout::tall;
  out.biomarker = read_named(keys, "biomarker", tall ? "biomarker" : "", "long: column of names");
  out.value = read_named(keys, "value", tall ? "value" : "", "long: column of measurements");
  if (!tall)
    for (const auto& [key, column] : {std::pair("biomarker", out.biomarker), {"value", out.value}})
      if (column.given())
        keys.complain(key, fmt::format("'{}' is a column of long tables; expected layout = "
                                       "\"long\", or no such key",
                                       key));
  if (tall && out.row_ids)
    keys.complain("row_ids", "a long table has many rows of a participant: it needs 'participant'");
  read_biomarkers(keys, out);
  out.ignore = read_named_list(keys, "ignore", "columns that are no biomarkers");
}

void check_roles(const TableDescription& description, Problems& problems) {
  std::map<std::string, std::string> roles;
  const auto take = [&](const Named& column, const std::string& role) {
    if (!column.given()) return;
    const auto [at, is_new] = roles.emplace(column.text, role);
    if (!is_new)
      problems.add(column.place, fmt::format("column '{}' is {} and cannot be {} as well",
                                             column.text, at->second, role));
  };
  take(description.participant, "'participant'");
  take(description.visit_column, "'visit_column'");
  take(description.diagnosis, "the column of 'diagnosis'");
  take(description.biomarker, "'biomarker'");
  take(description.value, "'value'");
  for (const auto& column : description.ignore) take(column, "one of 'ignore'");
  if (description.layout == TableDescription::Layout::wide)
    for (const auto& biomarker : description.biomarkers) {
      const auto role = roles.find(biomarker.column.text);
      if (role != roles.end())
        problems.add(biomarker.column.place,
                     fmt::format("column '{}' is {} and cannot be a biomarker as well",
                                 biomarker.column.text, role->second));
    }
  if (description.layout == TableDescription::Layout::wide)
    for (const auto& covariate : description.covariates)
      if (std::any_of(description.biomarkers.begin(), description.biomarkers.end(),
                      [&](const auto& known) { return known.column.text == covariate.text; }))
        problems.add(covariate.place,
                     fmt::format("column '{}' is a biomarker and cannot be adjusted for as well",
                                 covariate.text));
}

}  // namespace tempo
