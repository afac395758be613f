#include <fmt/format.h>

#include <map>
#include <utility>

#include "data/description/sections.hpp"

namespace tempo {

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
  out.healthy = read_named_list(nested, "healthy", "labels of controls", EmptyTexts::allowed);
  out.diseased = read_named_list(nested, "diseased", "labels of patients", EmptyTexts::allowed);
  out.drop = read_named_list(nested, "drop", "labels of those to leave out", EmptyTexts::allowed);
  nested.report_unread();
  std::map<std::string, std::string> seen;
  for (const auto& [role, listed] :
       {std::pair("healthy", &out.healthy), {"diseased", &out.diseased}, {"drop", &out.drop}})
    for (const auto& label : *listed)
      if (const auto [at, is_new] = seen.emplace(label.text, role); !is_new)
        keys.problems().add(
            label.place, fmt::format("label '{}' is given twice, in '{}' and in '{}'", label.text,
                                     at->second, role));
  for (const auto* role : {"healthy", "diseased"})
    if (table->find(role) == nullptr)
      keys.problems().add(
          table->place,
          fmt::format("missing key '{}' in [diagnosis]; expected a list of labels", role));
}

}  // namespace tempo
