#include "cli/compared.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/biomarker_file.hpp"
#include "data/cohort_csv.hpp"
#include "data/toml_table.hpp"
#include "study/plugin_examples.hpp"

namespace tempo::cli {
namespace {

constexpr auto kHypothesis = InterfaceKind::generative_process;

/// The hypothesis of that id, or the end.
auto find_hypothesis(const std::vector<ComparedHypothesis>& hypotheses, const std::string& id) {
  return std::find_if(hypotheses.begin(), hypotheses.end(),
                      [&](const ComparedHypothesis& known) { return known.id == id; });
}

bool has_id(const std::vector<ComparedHypothesis>& hypotheses, const std::string& id) {
  return find_hypothesis(hypotheses, id) != hypotheses.end();
}

/// A [[hypothesis]] table: its id, its plugin, and everything else as the plugin's settings.
std::optional<ComparedHypothesis> read_hypothesis(const ParameterTable& table,
                                                  const Registry& registry, Problems& problems) {
  constexpr const char* kWhere = "[[hypothesis]]";
  Parameters keys(table, kWhere, problems);
  const auto plugin = keys.text("plugin", std::nullopt, "id of the plugin");
  if (plugin.empty()) return std::nullopt;
  const auto id = keys.text("id", plugin, "name in results");
  PartSpec part{plugin, {table.place, {}}, keys.place_of("plugin")};
  for (const auto& entry : table.entries)
    if (entry.key != "plugin" && entry.key != "id" && entry.key != "name")
      part.settings.entries.push_back(entry);
  return ComparedHypothesis{
      id, registry.resolve(kHypothesis, part, fmt::format("{} '{}'", kWhere, id), problems)};
}

std::vector<ComparedHypothesis> read_hypotheses(const std::string& file, const Registry& registry,
                                                Problems& problems) {
  std::vector<ComparedHypothesis> out;
  const auto before = problems.size();
  const auto experiment = read_toml(file, problems);
  if (problems.size() > before) return out;
  const auto* given = experiment.find("hypothesis");
  const auto* tables =
      given == nullptr ? nullptr : std::get_if<ParameterValue::Array>(&given->value);
  if (tables == nullptr) {
    problems.add({file},
                 "has no [[hypothesis]]: expected at least one" + such_as_hypothesis(registry));
    return out;
  }
  for (const auto& item : *tables) {
    const auto* table = std::get_if<ParameterTable>(&item.value);
    if (table == nullptr) {
      problems.add(item.place, fmt::format("'hypothesis' must hold tables, not {}", kind_of(item)));
      continue;
    }
    auto found = read_hypothesis(*table, registry, problems);
    if (!found) continue;
    if (has_id(out, found->id))
      problems.add(table->place, fmt::format("hypothesis '{}' is defined twice; give one of them "
                                             "another id = \"...\"",
                                             found->id));
    else
      out.push_back(std::move(*found));
  }
  return out;
}

/// One of the file's, or a plugin with its defaults.
std::optional<ComparedHypothesis> hypothesis_named(const std::string& id,
                                                   const std::vector<ComparedHypothesis>& of_file,
                                                   const Place& place, const Registry& registry,
                                                   Problems& problems) {
  if (const auto known = find_hypothesis(of_file, id); known != of_file.end()) return *known;
  if (registry.find(kHypothesis, id) == nullptr) {
    problems.add(place, registry.why_missing(kHypothesis, id));
    return std::nullopt;
  }
  return ComparedHypothesis{id, registry.resolve(kHypothesis, {id, {}, place},
                                                 fmt::format("hypothesis '{}'", id), problems)};
}

/// The parts of `a,b,c`; of `a,,c` one is empty.
std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

/// `; expected such as h1,h2`; empty if there are no two of them.
std::string example_of_list(const Registry& registry) {
  const auto ids = ids_without_settings(registry, kHypothesis);
  return ids.size() < 2 ? "" : fmt::format("; expected such as {},{}", ids[0], ids[1]);
}

/// Names with distributions that nobody looks at, where they are inferred.
BiomarkerTable to_be_inferred(const Cohort& cohort) {
  std::vector<Biomarker> out;
  for (const auto& name : cohort.biomarkers) out.push_back({name, {0.0, 1.0}, {1.0, 1.0}});
  return BiomarkerTable(std::move(out));
}

/// Complains if a cohort is one of the others. @return whether it is
bool is_known(const std::string& file, const Cohort& cohort,
              const std::vector<ComparedCohort>& others, Problems& problems) {
  const auto same = std::find_if(others.begin(), others.end(), [&](const ComparedCohort& other) {
    return other.cohort == cohort;
  });
  if (same == others.end()) return false;
  problems.add({file}, same->file == file
                           ? "is given twice"
                           : fmt::format("holds the same cohort as '{}'", same->file));
  return true;
}

}  // namespace

BiomarkerTable for_cohort(const BiomarkerTable& table, const Cohort& cohort,
                          const std::string& file, const std::string& otherwise,
                          Problems& problems) {
  std::vector<Biomarker> out;
  std::vector<std::string> unknown;
  for (const auto& name : cohort.biomarkers) {
    const auto at = std::find_if(table.begin(), table.end(),
                                 [&](const Biomarker& known) { return known.name == name; });
    if (at == table.end())
      unknown.push_back(name);
    else
      out.push_back(*at);
  }
  if (!unknown.empty())
    problems.add({file},
                 fmt::format("has biomarkers that the table of --biomarkers lacks: {}; without "
                             "--biomarkers their distributions are {}",
                             fmt::join(unknown, ", "), otherwise));
  return BiomarkerTable(std::move(out));
}

std::vector<ComparedHypothesis> compared_hypotheses(const Options& options,
                                                    const Registry& registry, Problems& problems) {
  std::vector<ComparedHypothesis> of_file;
  if (options.has("experiment"))
    of_file = read_hypotheses(options.get_text("experiment"), registry, problems);
  if (options.has("experiment") && !options.has("hypotheses")) return of_file;
  const auto ids = options.has("hypotheses") ? split_at_commas(options.get_text("hypotheses"))
                                             : ids_without_settings(registry, kHypothesis);
  const Place place{"--hypotheses"};
  if (ids.empty())
    problems.add(place, "is missing, and no hypothesis is installed that needs no settings");
  std::vector<ComparedHypothesis> out;
  for (const auto& id : ids) {
    if (id.empty())
      problems.add(place, fmt::format("an empty name in '{}'{}", options.get_text("hypotheses"),
                                      example_of_list(registry)));
    else if (has_id(out, id))
      problems.add(place, fmt::format("'{}' is given twice", id));
    else if (auto found = hypothesis_named(id, of_file, place, registry, problems))
      out.push_back(std::move(*found));
  }
  return out;
}

std::optional<ComparedHypothesis> compared_hypothesis(const std::string& id, const Place& place,
                                                      const Options& options,
                                                      const Registry& registry,
                                                      Problems& problems) {
  std::vector<ComparedHypothesis> of_file;
  if (options.has("experiment"))
    of_file = read_hypotheses(options.get_text("experiment"), registry, problems);
  return hypothesis_named(id, of_file, place, registry, problems);
}

std::vector<ComparedCohort> compared_cohorts(const Options& options, Problems& problems) {
  std::optional<BiomarkerTable> table;
  if (options.has("biomarkers")) {
    const auto before = problems.size();
    table = find_biomarkers(options.get_text("biomarkers"), "", Place{"--biomarkers"}, problems);
    if (problems.size() > before) table.reset();
  }
  std::vector<ComparedCohort> out;
  for (const auto& file : options.list("COHORT")) {
    const auto before = problems.size();
    auto read = read_cohort_csv(file, problems);
    if (problems.size() > before || is_known(file, read.cohort, out, problems)) continue;
    auto biomarkers = table ? for_cohort(*table, read.cohort, file, "inferred, too", problems)
                            : to_be_inferred(read.cohort);
    out.push_back({file, std::move(read.cohort), std::move(biomarkers)});
  }
  return out;
}

}  // namespace tempo::cli
