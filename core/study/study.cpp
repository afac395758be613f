#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "data/biomarker_file.hpp"
#include "data/toml_table.hpp"
#include "study/experiment.hpp"
#include "study/study_builder.hpp"
#include "tempo/version.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

/// Whether a point names files that are not shipped: where they are looked for has to be known.
bool names_files(const Experiment& experiment) {
  const auto names_some = [](const MethodEntry& method) {
    return canonical_json(method.shown_settings) != canonical_json(method.part.settings);
  };
  return !experiment.simulates_cohorts() ||
         shipped_biomarkers_text(experiment.simulation()->name).empty() ||
         std::any_of(experiment.methods.begin(), experiment.methods.end(), names_some);
}

/// Faults of `file` in the order of its lines, then all others: of --set, of files it names.
void append_in_order(const Problems& found, const std::string& file, Problems& problems) {
  auto all = found.all();
  const auto rank = [&](const Problem& problem) {
    const bool own = problem.place.file == file;
    return own ? std::tuple(0, problem.place.line, problem.place.column)
               : std::tuple(1, std::size_t{0}, std::size_t{0});
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Problem& a, const Problem& b) { return rank(a) < rank(b); });
  for (auto& problem : all) problems.add(problem.place, std::move(problem.message));
}

/// Faults, each once: the points of a sweep repeat most of the file, and its faults.
class NewFaults {
 public:
  explicit NewFaults(Problems& problems) : problems_(problems) {
    for (const auto& fault : problems_.all()) is_new(fault);
  }

  void add(const Problems& found) {
    for (const auto& fault : found.all())
      if (is_new(fault)) problems_.add(fault.place, fault.message);
  }

 private:
  bool is_new(const Problem& fault) {
    return known_.insert(to_string(fault.place) + '\n' + fault.message).second;
  }

  Problems& problems_;
  std::unordered_set<std::string> known_;
};

/// A warning for each version in a lock file's [versions] that is another one here.
std::vector<std::string> changed_versions(const ParameterTable& experiment,
                                          const Registry& registry) {
  std::vector<std::string> warnings;
  const auto* value = experiment.find("versions");
  const auto* versions = value == nullptr ? nullptr : std::get_if<ParameterTable>(&value->value);
  if (versions == nullptr) return warnings;
  for (const auto& [name, place, entry] : versions->entries) {
    const auto* then = std::get_if<std::string>(&entry.value);
    std::string now;
    if (name == "tempo") now = TEMPO_VERSION;
    const auto space = name.find(' ');
    for (const auto kind : {InterfaceKind::stage_prior, InterfaceKind::measurement_model,
                            InterfaceKind::generative_process, InterfaceKind::inference_method,
                            InterfaceKind::trainable_method})
      if (space != std::string::npos && name.substr(0, space) == to_string(kind))
        if (const auto* record = registry.find(kind, name.substr(space + 1)))
          now = record->descriptor->version;
    if (then != nullptr && !now.empty() && *then != now)
      warnings.push_back(fmt::format("{}: made with {} {}, here is {}: numbers may differ",
                                     to_string(place), name, *then, now));
  }
  return warnings;
}

std::string as_text(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.value)) return *text;
  return canonical_json(value);
}

}  // namespace

Study read_study(const fs::path& file, const std::vector<Override>& overrides,
                 const Registry& registry, Problems& problems) {
  const auto table = read_toml(file, problems);
  return problems.empty() ? study_from(table, file, overrides, registry, problems) : Study();
}

Study study_from(ParameterTable table, const fs::path& file, const std::vector<Override>& overrides,
                 const Registry& registry, Problems& problems) {
  Study study;
  study.name = file.stem().string();
  study.warnings = changed_versions(table, registry);
  Problems faults;
  apply_all(overrides, table, faults);
  const auto points = sweep_points(table, faults);
  refuse_swept(overrides, points.front(), faults);
  NewFaults new_faults(faults);
  StudyBuilder builder(file, registry);
  for (const auto& override : points.front()) study.axes.push_back(override.path);
  for (const auto& point : points) {
    auto point_table = table;
    Problems found;
    for (const auto& override : point) apply(override, point_table, found);
    FaultsInOrder of_builder;
    const auto input = read_experiment(point_table, study.name, registry, found);
    auto [experiment, lock, folder] = builder.build(input, of_builder);
    study.name = input.general.name;
    for (const auto& override : point) experiment.axis_values.push_back(as_text(override.value));
    study.cluster = input.cluster;
    if (study.points.empty()) study.lock = std::move(lock);
    if (names_files(experiment)) {
      ParameterValue start;
      start.value = fs::absolute(folder).lexically_normal().string();
      std::get<ParameterTable>(study.lock.find("experiment")->value)
          .set("folder", std::move(start));
    }
    study.points.push_back(std::move(experiment));
    new_faults.add(of_builder.among(found));
  }
  // A swept setting may change the defaults of its neighbours: the lock file leaves them open.
  for (const auto& path : study.axes)
    if (auto* entry = find_entry(study.lock, path))
      if (const auto* given = find_entry(table, path)) *entry = *given;
  if (const auto* sweep = table.find("sweep")) study.lock.set("sweep", *sweep);
  append_in_order(faults, file.string(), problems);
  return study;
}

}  // namespace tempo
