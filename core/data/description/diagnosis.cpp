#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "data/description/sections.hpp"

namespace tempo {
namespace {

using Named = TableDescription::Named;

/// A label as the table has it; absent if a value of TOML is none.
std::optional<std::string> label_of(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.value)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&value.value)) return std::to_string(*number);
  return std::nullopt;
}

/// One label or several: `"CN"`, `0`, `["CN", "SMC"]`.
std::vector<Named> read_labels(Parameters& keys, std::string_view key, std::string_view help) {
  std::vector<Named> out;
  const auto* value = keys.raw(key, "label or list of labels", help, "[]");
  if (value == nullptr) return out;
  if (auto label = label_of(*value)) return {{std::move(*label), value->place}};
  const auto* items = std::get_if<ParameterValue::Array>(&value->value);
  if (items == nullptr) {
    keys.complain(key, fmt::format("'{}' must be a label or a list of labels (texts or whole "
                                   "numbers), not {}",
                                   key, kind_of(*value)));
    return out;
  }
  for (const auto& item : *items)
    if (auto label = label_of(item))
      out.push_back({std::move(*label), item.place});
    else
      keys.problems().add(item.place,
                          fmt::format("'{}' must hold labels (texts or whole numbers), not {}", key,
                                      kind_of(item)));
  return out;
}

}  // namespace

void read_diagnosis(Parameters& keys, Labels labels, TableDescription& out) {
  const auto* value = keys.raw("diagnosis", "table", "column, and which labels are what");
  const auto* table = value == nullptr ? nullptr : std::get_if<ParameterTable>(&value->value);
  if (value == nullptr && labels == Labels::ignored) return;
  if (table == nullptr) {
    const std::string expected = "{ column = \"DX\", healthy = [\"CN\"], diseased = [\"AD\"] }";
    if (value == nullptr)
      keys.problems().add(
          out.place,
          "missing key 'diagnosis' in the description; expected diagnosis = " + expected);
    else
      keys.complain("diagnosis", fmt::format("'diagnosis' must be a table such as {}, not {}",
                                             expected, kind_of(*value)));
    return;
  }
  out.diagnosis_place = value->place;
  Parameters nested(*table, "[diagnosis]", keys.problems());
  out.diagnosis = read_named(nested, "column", std::nullopt, "column of labels");
  out.healthy = read_labels(nested, "healthy", "labels of controls");
  out.diseased = read_labels(nested, "diseased", "labels of patients");
  out.drop = read_labels(nested, "drop", "labels of those to leave out");
  out.staged = read_labels(nested, "staged", "labels of those that are staged, and fitted by none");
  nested.report_unread();
  std::map<std::string, std::string> seen;
  for (const auto& [role, listed] : {std::pair("healthy", &out.healthy),
                                     {"diseased", &out.diseased},
                                     {"drop", &out.drop},
                                     {"staged", &out.staged}})
    for (const auto& label : *listed)
      if (const auto [at, is_new] = seen.emplace(label.text, role); !is_new)
        keys.problems().add(
            label.place, fmt::format("label '{}' is given twice, in '{}' and in '{}'", label.text,
                                     at->second, role));
  for (const auto* role : {"healthy", "diseased"})
    if (table->find(role) == nullptr)
      keys.problems().add(
          table->place,
          fmt::format("missing key '{}' in [diagnosis]; expected a label or a list of labels",
                      role));
}

}  // namespace tempo
