#include "data/biomarker_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "data/shipped_biomarkers.hpp"
#include "data/text_file.hpp"
#include "data/toml_table.hpp"

namespace tempo {
namespace {

constexpr std::int64_t kSchema = 1;

/// Reads `{ mean = ..., sd = ... }`.
Normal read_normal(Parameters& biomarker, std::string_view key, std::string_view help) {
  Normal normal;
  const auto* given = biomarker.raw(key, "table", help);
  if (given == nullptr) {
    biomarker.complain(
        key, fmt::format("missing key '{}' in {}; expected {{ mean = ..., sd = ... }}", key,
                         biomarker.where()));
  } else if (const auto* table = std::get_if<ParameterTable>(&given->value)) {
    Parameters keys(*table, fmt::format("{} of {}", key, biomarker.where()), biomarker.problems());
    normal.mean = keys.number("mean", std::nullopt, any_number, "mean, in the biomarker's units");
    normal.sd = keys.number("sd", std::nullopt, positive, "standard deviation, in the same units");
    keys.report_unread();
  } else {
    biomarker.complain(key, fmt::format("'{}' must be a table {{ mean = ..., sd = ... }}, not {}",
                                        key, kind_of(*given)));
  }
  return normal;
}

Biomarker read_biomarker(const ParameterTable& table, std::size_t number, Problems& problems) {
  const auto* name = table.find("name");
  const auto* text = name == nullptr ? nullptr : std::get_if<std::string>(&name->value);
  Parameters keys(table,
                  text == nullptr || text->empty() ? fmt::format("[[biomarker]] number {}", number)
                                                   : fmt::format("[[biomarker]] '{}'", *text),
                  problems);
  Biomarker biomarker;
  biomarker.name = keys.text("name", std::nullopt, "as the cohorts call it");
  biomarker.phi = read_normal(keys, "pre_event", "phi: before its event");
  biomarker.theta = read_normal(keys, "post_event", "theta: after its event");
  keys.report_unread();
  return biomarker;
}

std::vector<Biomarker> read_list(Parameters& keys) {
  const auto* given = keys.raw("biomarker", "list of tables", "one [[biomarker]] for each column");
  if (given == nullptr) {
    keys.complain("biomarker", "there are no biomarkers; expected at least one [[biomarker]]");
    return {};
  }
  const auto* items = std::get_if<ParameterValue::Array>(&given->value);
  if (items == nullptr) {
    keys.complain("biomarker", fmt::format("'biomarker' must be a list of tables, each begun with "
                                           "[[biomarker]], not {}",
                                           kind_of(*given)));
    return {};
  }
  if (items->empty())
    keys.complain("biomarker", "there are no biomarkers; expected at least one [[biomarker]]");
  std::vector<Biomarker> biomarkers;
  std::map<std::string, Place> first;
  for (const auto& item : *items) {
    const auto* table = std::get_if<ParameterTable>(&item.value);
    if (table == nullptr) {
      keys.problems().add(item.place,
                          fmt::format("a biomarker must be a table, not {}", kind_of(item)));
      continue;
    }
    auto biomarker = read_biomarker(*table, biomarkers.size() + 1, keys.problems());
    if (!biomarker.name.empty()) {
      const auto here = table->find("name")->place;
      const auto [known, is_new] = first.emplace(biomarker.name, here);
      if (!is_new)
        keys.problems().add(here, fmt::format("biomarker '{}' is given twice; first in line {}",
                                              biomarker.name, known->second.line));
    }
    biomarkers.push_back(std::move(biomarker));
  }
  return biomarkers;
}

/// A value that comes from no file.
template <class T>
ParameterValue made(T content) {
  ParameterValue value;
  value.value = std::move(content);
  return value;
}

ParameterValue normal_value(const Normal& normal) {
  ParameterTable table;
  table.set("mean", made(normal.mean));
  table.set("sd", made(normal.sd));
  return made(std::move(table));
}

}  // namespace

BiomarkerTable read_biomarkers(const std::filesystem::path& path, Problems& problems) {
  Problems found;
  const auto table = read_toml(path, found);
  problems.append(found);
  return found.empty() ? biomarkers_from(table, problems) : BiomarkerTable();
}

BiomarkerTable biomarkers_from(const ParameterTable& table, Problems& problems) {
  Problems found;
  Parameters keys(table, "this biomarker table", found);
  const auto schema = keys.integer("schema", std::nullopt, any_number, "layout of this file");
  if (found.empty() && schema != kSchema)
    keys.complain("schema", fmt::format("'schema' must be {}, not {}: a newer tempo may have "
                                        "written this file",
                                        kSchema, schema));
  keys.text("name", std::nullopt, "of the table");
  keys.text("description", "", "where the numbers come from");
  auto biomarkers = read_list(keys);
  keys.report_unread();
  if (found.empty()) return BiomarkerTable(std::move(biomarkers));

  auto in_order = found.all();  // keys were read in our order, not the file's
  std::stable_sort(in_order.begin(), in_order.end(), [](const auto& a, const auto& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  for (const auto& problem : in_order) problems.add(problem.place, problem.message);
  return {};
}

std::string biomarkers_to_toml(const BiomarkerTable& table, const std::string& name,
                               const std::string& description) {
  ParameterTable file;
  file.set("schema", made(kSchema));
  file.set("name", made(name));
  if (!description.empty()) file.set("description", made(description));
  ParameterValue::Array list;
  for (const auto& biomarker : table) {
    ParameterTable entry;
    entry.set("name", made(biomarker.name));
    entry.set("pre_event", normal_value(biomarker.phi));
    entry.set("post_event", normal_value(biomarker.theta));
    list.push_back(made(std::move(entry)));
  }
  file.set("biomarker", made(std::move(list)));
  return to_toml(file);
}

void write_biomarkers(const BiomarkerTable& table, const std::string& name,
                      const std::filesystem::path& path, const std::string& description) {
  write_text_file(path, biomarkers_to_toml(table, name, description));
}

std::vector<std::string> shipped_biomarkers() {
  std::vector<std::string> names;
  for (const auto& file : kShippedBiomarkers) names.emplace_back(file.name);
  return names;
}

std::string_view shipped_biomarkers_text(std::string_view name) {
  for (const auto& file : kShippedBiomarkers)
    if (file.name == name) return file.text;
  return {};
}

BiomarkerTable find_biomarkers(const std::string& name_or_path,
                               const std::filesystem::path& base_folder, const Place& asked,
                               Problems& problems) {
  if (const auto text = shipped_biomarkers_text(name_or_path); !text.empty())
    return biomarkers_from(read_toml_text(text, name_or_path, problems), problems);

  const auto shipped = shipped_biomarkers();
  const bool is_path =
      name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".toml");
  if (!is_path) {
    problems.add(asked,
                 fmt::format("unknown biomarker table '{}'; expected {}, or the path of a "
                             "file that ends in .toml{}",
                             name_or_path, one_of(shipped), did_you_mean(name_or_path, shipped)));
    return {};
  }
  const auto path = (base_folder / name_or_path).lexically_normal();
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    problems.add(asked,
                 fmt::format("no such file '{}' (a path is relative to {}); shipped tables: {}",
                             path.string(),
                             asked.line == 0 ? "the current folder" : "the file that names it",
                             fmt::join(shipped, ", ")));
    return {};
  }
  return read_biomarkers(path, problems);
}

}  // namespace tempo
