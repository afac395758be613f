#include "conformance/expected.hpp"

#include <fmt/format.h>

#include "conformance/check.hpp"
#include "data/toml_table.hpp"

namespace tempo::conformance {
namespace {

/// The tables of a list such as `[[expected]]`.
std::vector<ParameterTable> tables_of(Parameters& keys, const std::string& key,
                                      const std::string& help) {
  const auto* given = keys.raw(key, "list of tables", help, "[]");
  if (given == nullptr) return {};
  const auto* items = std::get_if<ParameterValue::Array>(&given->value);
  std::vector<ParameterTable> out;
  if (items != nullptr)
    for (const auto& item : *items)
      if (const auto* table = std::get_if<ParameterTable>(&item.value)) out.push_back(*table);
  if (items == nullptr || out.size() != items->size())
    keys.complain(key, fmt::format("'{}' must be tables, each begun with [[{}]]", key, key));
  return out;
}

ExpectedFailure read_failure(const ParameterTable& table, Problems& problems) {
  Parameters keys(table, "[[expected]]", problems);
  ExpectedFailure out{keys.text("check", std::nullopt, "the id of a check"),
                      keys.text("reason", std::nullopt, "why it may fail")};
  keys.report_unread();
  if (table.find("check") != nullptr && find_check(out.check) == nullptr)
    keys.complain("check",
                  fmt::format("there is no check '{}'; tempo plugins check lists all", out.check));
  if (table.find("reason") != nullptr && out.reason.empty())
    keys.complain("reason", "'reason' must say why the check may fail");
  return out;
}

Draws read_draws(const ParameterTable& table, Problems& problems) {
  Parameters keys(table, "[[draws]]", problems);
  Draws out{keys.text("version", std::nullopt, "of the plugin"),
            keys.text("digest", std::nullopt, "of what it draws")};
  keys.report_unread();
  return out;
}

}  // namespace

const std::string* Expectations::reason(const std::string& check) const {
  for (const auto& failure : failures)
    if (failure.check == check) return &failure.reason;
  return nullptr;
}

Expectations read_expectations(const std::filesystem::path& file, Problems& problems) {
  constexpr std::int64_t kSchema = 1;
  Problems found;
  const auto table = read_toml(file, found);
  Expectations out;
  if (found.empty()) {
    Parameters keys(table, "this file", found);
    if (keys.integer("schema", std::nullopt, any_number, "layout of this file") != kSchema &&
        table.find("schema") != nullptr)
      keys.complain("schema", fmt::format("'schema' must be {}", kSchema));
    if (const auto* given = keys.raw("settings", "table", "of the plugin in all checks", "{}")) {
      if (const auto* settings = std::get_if<ParameterTable>(&given->value))
        out.settings = *settings;
      else
        keys.complain("settings", "'settings' must be a table");
    }
    for (const auto& one : tables_of(keys, "expected", "checks that may fail"))
      out.failures.push_back(read_failure(one, found));
    for (const auto& one : tables_of(keys, "draws", "digests of draws"))
      out.draws.push_back(read_draws(one, found));
    keys.report_unread();
  }
  problems.append(found);
  return out;
}

}  // namespace tempo::conformance
