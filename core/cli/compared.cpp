#include "cli/compared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/biomarker_file.hpp"
#include "data/cohort_csv.hpp"
#include "data/toml_table.hpp"
#include "run/fit.hpp"

namespace tempo::cli {
namespace {

constexpr auto kHypothesis = InterfaceKind::generative_process;
constexpr auto kMethod = InterfaceKind::inference_method;
constexpr const char* kAllNine = "h1,h2,h3,h4,h5,h6,h7,h8,h9";

bool has_id(const std::vector<ComparedHypothesis>& hypotheses, const std::string& id) {
  return std::any_of(hypotheses.begin(), hypotheses.end(),
                     [&](const ComparedHypothesis& known) { return known.id == id; });
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
    if (entry.key != "plugin" && entry.key != "id") part.settings.entries.push_back(entry);
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
    problems.add({file}, "has no [[hypothesis]]: expected at least one, such as plugin = \"h1\"");
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

/// Names with distributions that nobody looks at, where they are inferred.
BiomarkerTable to_be_inferred(const Cohort& cohort) {
  std::vector<Biomarker> out;
  for (const auto& name : cohort.biomarkers) out.push_back({name, {0.0, 1.0}, {1.0, 1.0}});
  return BiomarkerTable(std::move(out));
}

/// Measured values of a biomarker, ascending.
std::vector<double> measured(const Cohort& cohort, std::size_t b, bool of_healthy_only) {
  std::vector<double> out;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (const double x = cohort.measurements(j, b);
        !std::isnan(x) && !(of_healthy_only && cohort.diseased[j] != 0))
      out.push_back(x);
  std::sort(out.begin(), out.end());
  return out;
}

/// @param values  ascending
std::size_t distinct_count(const std::vector<double>& values) {
  std::size_t count = values.empty() ? 0 : 1;
  for (std::size_t i = 1; i < values.size(); ++i) count += values[i] != values[i - 1];
  return count;
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
    of_file = read_hypotheses(options.get<std::string>("experiment"), registry, problems);
  if (options.has("experiment") && !options.has("hypotheses")) return of_file;
  const auto text =
      options.has("hypotheses") ? options.get<std::string>("hypotheses") : std::string(kAllNine);
  std::vector<ComparedHypothesis> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto id = text.substr(begin, end - begin);
    begin = end + 1;
    const auto known = std::find_if(of_file.begin(), of_file.end(),
                                    [&](const auto& hypothesis) { return hypothesis.id == id; });
    if (id.empty())
      problems.add({"--hypotheses"}, "an empty name in '" + text + "'; expected such as h1,h3");
    else if (has_id(out, id))
      problems.add({"--hypotheses"}, "'" + id + "' is given twice");
    else if (known != of_file.end())
      out.push_back(*known);
    else if (registry.find(kHypothesis, id) == nullptr)
      problems.add({"--hypotheses"}, registry.why_missing(kHypothesis, id));
    else
      out.push_back({id, registry.resolve(kHypothesis, {id, {}, Place{"--hypotheses"}},
                                          fmt::format("hypothesis '{}'", id), problems)});
  }
  return out;
}

PartSpec comparing_method(const Options& options, const Registry& registry, Problems& problems) {
  PartSpec part{"", {}, Place{options.has("method") ? "--method" : "tempo compare"}};
  const auto assumes = [&](const std::string& id) { return registry.assumes_process(id); };
  if (options.has("method")) {
    part.plugin = options.get<std::string>("method");
    if (registry.find(kMethod, part.plugin) == nullptr) {
      problems.add(part.place, registry.why_missing(kMethod, part.plugin));
      return part;
    }
    if (!assumes(part.plugin)) {
      problems.add(
          part.place,
          fmt::format("'{}' infers under no hypothesis: it cannot compare them", part.plugin));
      return part;
    }
  } else {
    const auto ids = registry.usable_ids(kMethod);
    const auto first = std::find_if(ids.begin(), ids.end(), assumes);
    if (first == ids.end()) {
      problems.add(part.place,
                   "no method is installed that infers under a hypothesis "
                   "(tempo plugins list shows what there is)");
      return part;
    }
    part.plugin = *first;
  }
  for (const auto& argument : options.list("set")) {
    const auto setting = parse_override(argument, problems);
    if (!setting.path.empty()) part.settings.set(setting.path, setting.value);
  }
  if (!options.has("biomarkers")) {
    const auto* declared =
        registry.parameter_with(kMethod, part.plugin, ParameterRole::distributions);
    const auto* set = declared == nullptr ? nullptr : part.settings.find(declared->key);
    if (declared == nullptr)
      problems.add(part.place, fmt::format("method '{}' needs to know the distributions of the "
                                           "biomarkers: give --biomarkers",
                                           part.plugin));
    else if (set == nullptr)
      part.settings.set(declared->key,
                        {Place{"tempo compare"}, std::string(to_string(Distributions::sampled))});
    else if (registry.distributions_of(kMethod, part) == Distributions::known)
      problems.add(set->place,
                   "parameters that are known come from --biomarkers, which is missing");
  }
  return registry.resolve(kMethod, part, fmt::format("method '{}'", part.plugin), problems);
}

std::vector<ComparedCohort> compared_cohorts(const Options& options, Problems& problems) {
  BiomarkerTable table;
  const auto found = problems.size();
  if (options.has("biomarkers"))
    table = find_biomarkers(options.get<std::string>("biomarkers"), "", Place{"--biomarkers"},
                            problems);
  const bool has_table = options.has("biomarkers") && problems.size() == found;
  std::vector<ComparedCohort> out;
  for (const auto& file : options.list("COHORT")) {
    const auto before = problems.size();
    auto read = read_cohort_csv(file, problems);
    if (problems.size() > before) continue;
    const auto same = std::find_if(out.begin(), out.end(), [&](const ComparedCohort& other) {
      return other.cohort == read.cohort;
    });
    if (same != out.end()) {
      problems.add({file}, same->file == file
                               ? "is given twice"
                               : fmt::format("holds the same cohort as '{}'", same->file));
      continue;
    }
    auto known = has_table ? for_cohort(table, read.cohort, file, "inferred, too", problems)
                           : to_be_inferred(read.cohort);
    out.push_back({file, std::move(read.cohort), std::move(known)});
  }
  return out;
}

std::vector<std::string> doubts(const ComparedCohort& compared, bool is_known) {
  const auto& [file, cohort, biomarkers] = compared;
  std::vector<std::string> out;
  const auto J = cohort.participant_count();
  if (auto missing = missing_in_words(cohort, MissingData::marginal); !missing.empty())
    out.push_back(std::move(missing));
  const auto diseased = static_cast<std::size_t>(
      std::count_if(cohort.diseased.begin(), cohort.diseased.end(), [](auto d) { return d != 0; }));
  if (diseased == J)
    out.emplace_back(
        "no participant is healthy: nothing shows what biomarkers are before their events");
  if (diseased == 0)
    out.emplace_back("no participant is diseased: nothing shows the order of events or the stages");
  constexpr std::size_t kPerValue = 10;  // participants: a scale rather than measurements
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    const auto& name = cohort.biomarkers[b];
    const auto values = measured(cohort, b, false), healthy = measured(cohort, b, true);
    if (values.empty())
      out.push_back(fmt::format("'{}' has not been measured in anybody", name));
    else if (values.front() == values.back())
      out.push_back(
          fmt::format("'{}' is {:g} in everybody: it says nothing", name, values.front()));
    else if (!is_known && healthy.size() > 1 && healthy.front() == healthy.back())
      out.push_back(
          fmt::format("'{}' is {:g} in all healthy participants: its distributions cannot be "
                      "estimated; leave it out",
                      name, healthy.front()));
    else if (const auto distinct = distinct_count(values); distinct * kPerValue <= values.size())
      out.push_back(fmt::format(
          "'{}' has {} values among {} participants: hypotheses with other kinds of measurements "
          "differ by what they make of rounding, too",
          name, distinct, values.size()));
    if (!is_known || healthy.empty()) continue;
    constexpr double kFar = 5.0;  // sds: of a median, out of the question even in a few healthy
    const auto& phi = biomarkers[b].phi;
    const double median = healthy[healthy.size() / 2];
    if (const double away = std::abs(median - phi.mean) / phi.sd; away > kFar)
      out.push_back(
          fmt::format("the median of '{}' in the healthy is {:g}, {:.3g} sds from the "
                      "table's mean before the event, {:g}: it may be in other units",
                      name, median, away, phi.mean));
  }
  return out;
}

}  // namespace tempo::cli
