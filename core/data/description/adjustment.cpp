#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "data/description/sections.hpp"

namespace tempo {
namespace {

void read_levels(Parameters& keys, const ParameterTable& table,
                 const std::vector<std::string>& covariates, TableDescription& out) {
  Parameters nested(table, "'levels'", keys.problems());
  for (const auto& entry : table.entries) {
    const auto found = nested.texts(entry.key, std::nullopt, "");
    if (std::find(covariates.begin(), covariates.end(), entry.key) == covariates.end())
      keys.problems().add(entry.place,
                          fmt::format("'{}' is no covariate; expected {}{}", entry.key,
                                      one_of(covariates), did_you_mean(entry.key, covariates)));
    if (std::set<std::string>(found.begin(), found.end()).size() < found.size())
      keys.problems().add(entry.value.place,
                          fmt::format("a level of '{}' is given twice", entry.key));
    else if (found.size() < 2)
      keys.problems().add(
          entry.value.place,
          fmt::format("'{}' needs two levels or more, the reference first", entry.key));
    out.levels[entry.key] = found;
  }
}

}  // namespace

void read_adjustment(Parameters& keys, TableDescription& out) {
  const auto* value = keys.raw("adjust", "table", "what biomarkers are adjusted for");
  if (value == nullptr) return;
  const auto* table = std::get_if<ParameterTable>(&value->value);
  if (table == nullptr) {
    keys.complain("adjust", fmt::format("'adjust' must be a table with 'covariates', not {}",
                                        kind_of(*value)));
    return;
  }
  Parameters nested(*table, "[adjust]", keys.problems());
  out.covariates = read_named_list(nested, "covariates", "columns to adjust for");
  if (table->find("covariates") == nullptr)
    nested.complain("covariates", "[adjust] needs 'covariates', the columns to adjust for");
  std::set<std::string> names;
  for (const auto& covariate : out.covariates)
    if (!names.insert(covariate.text).second)
      keys.problems().add(covariate.place,
                          fmt::format("covariate '{}' is given twice", covariate.text));
  if (const auto* levels = nested.raw("levels", "table", "levels of each categorical covariate")) {
    const auto* by_name = std::get_if<ParameterTable>(&levels->value);
    if (by_name == nullptr) {
      nested.complain("levels", fmt::format("'levels' must be a table, not {}", kind_of(*levels)));
    } else {
      read_levels(keys, *by_name, {names.begin(), names.end()}, out);
    }
  }
  out.missing_covariates = read_enum<TableDescription::MissingCovariate>(
      nested, "missing", {"refuse", "drop", "mean"}, "what is done where covariates lack");
  nested.report_unread();
}

}  // namespace tempo
