#include <fmt/format.h>

#include <algorithm>

#include "data/description/sections.hpp"

namespace tempo {
namespace {

/// `visit = { column = "TIME", keep = "first" }`: the three keys in one.
/// @param table  of all keys
void read_visit_table(Parameters& keys, const ParameterTable& table, const ParameterTable& visit,
                      TableDescription& out) {
  const std::vector<std::string> options{"first", "baseline", "last"};
  for (const auto* key : {"visit_column", "baseline"})
    if (table.find(key) != nullptr)
      keys.complain(
          key, fmt::format("'{}' and the table 'visit' say the same; give one of the two", key));
  Parameters nested(visit, "'visit'", keys.problems());
  out.visit_column = read_named(nested, "column", std::nullopt, "column that tells visits apart");
  const auto keep = nested.choice("keep", std::nullopt, options, "the visit that is kept");
  out.baseline = nested.texts("baseline", std::vector<std::string>{},
                              "what the column says of a baseline visit");
  nested.report_unread();
  const auto at = std::find(options.begin(), options.end(), keep);
  if (at == options.end()) return;
  out.visit = static_cast<TableDescription::Visit>(1 + (at - options.begin()));
  if (keep == "baseline" && out.baseline.empty())
    nested.complain("keep",
                    "keep = \"baseline\" needs 'baseline', what the column says of such a visit: "
                    "baseline = [\"bl\"]");
  if (keep != "baseline" && !out.baseline.empty())
    nested.complain("baseline", "'baseline' is read with keep = \"baseline\" only");
}

}  // namespace

void read_visits(Parameters& keys, const ParameterTable& table, TableDescription& out) {
  const std::vector<std::string> options{"first", "baseline", "last"};
  out.visit_column = read_named(keys, "visit_column", "", "column that tells visits apart");
  const auto* given = keys.raw("visit", "choice", "the visit of a participant that is kept");
  out.baseline = keys.texts("baseline", std::vector<std::string>{},
                            "what the visit column says of a baseline visit");
  if (const auto* in_one =
          given == nullptr ? nullptr : std::get_if<ParameterTable>(&given->value)) {
    read_visit_table(keys, table, *in_one, out);
    return;
  }
  if (given != nullptr) {
    const auto* text = std::get_if<std::string>(&given->value);
    const auto at =
        text == nullptr ? options.end() : std::find(options.begin(), options.end(), *text);
    if (at == options.end()) {
      keys.complain(
          "visit", text == nullptr
                       ? fmt::format("'visit' must be {}, not {}", one_of(options), kind_of(*given))
                       : fmt::format("'visit' must be {}, not '{}'{}", one_of(options), *text,
                                     did_you_mean(*text, options)));
      return;
    }
    out.visit = static_cast<TableDescription::Visit>(1 + (at - options.begin()));
    if (!out.visit_column.given())
      keys.complain("visit", "'visit' needs 'visit_column', the column that tells visits apart");
  }
  const bool by_name = out.visit == TableDescription::Visit::baseline;
  if (by_name && out.baseline.empty())
    keys.complain("visit",
                  "visit = \"baseline\" needs 'baseline', what the visit column says of "
                  "such a visit: baseline = [\"bl\"]");
  if (!by_name && !out.baseline.empty())
    keys.complain("baseline", "'baseline' is read with visit = \"baseline\" only");
}

}  // namespace tempo
