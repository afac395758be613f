#include "study/recipes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "data/biomarker_file.hpp"
#include "data/content_key.hpp"

namespace tempo {

using nlohmann::json;

namespace {

std::string name_of(InterfaceKind kind, const std::string& id) {
  return fmt::format("{} {}", to_string(kind), id);
}

/// A word; of one that names a file the content, wherever the file is.
std::string with_content(const std::string& word) {
  const std::filesystem::path path(word);
  std::error_code ignored;
  if (!path.is_absolute() || !std::filesystem::is_regular_file(path, ignored)) return word;
  return fmt::format("content {}", file_key(path));
}

}  // namespace

std::string Describer::version(InterfaceKind kind, const std::string& id) {
  const auto* record = registry_.find(kind, id);
  const std::string found = record == nullptr ? "unknown" : record->descriptor->version;
  versions_[name_of(kind, id)] = found;
  return found;
}

void Describer::keep_what_counts(InterfaceKind kind, const std::string& id, json& settings) const {
  const auto* record = registry_.find(kind, id);
  if (record == nullptr) return;
  for (const auto& spec : record->parameters) {
    const auto& key = spec.key;
    if (spec.role == ParameterRole::device || spec.role == ParameterRole::aside)
      settings.erase(key);
    if (!settings.contains(key)) continue;
    auto& value = settings[key];
    if (spec.role == ParameterRole::files)
      for (auto& word : value) word = with_content(word.get<std::string>());
    if (spec.part && value.is_object()) keep_what_counts(*spec.part, value.at("plugin"), value);
  }
}

Described Describer::plugin(InterfaceKind kind, const std::string& id,
                            const ParameterTable& settings) {
  Described out{{{"plugin", id},
                 {"version", version(kind, id)},
                 {"settings", json::parse(canonical_json(settings))}},
                {name_of(kind, id)}};
  keep_what_counts(kind, id, out.recipe["settings"]);
  return out;
}

Described Describer::process(const PartSpec& part, const GenerativeProcess& process) {
  auto out = plugin(InterfaceKind::generative_process, part.plugin, part.settings);
  for (const auto& [kind, id] : process.parts()) {
    out.recipe["parts"][id] = version(kind, id);
    out.plugins.push_back(name_of(kind, id));
  }
  return out;
}

Described Describer::method(InterfaceKind kind, const PartSpec& part) {
  return plugin(kind, part.plugin, part.settings);
}

std::vector<RecipeDifference> differences(const json& first, const json& second) {
  const auto was = first.flatten(), is = second.flatten();
  std::vector<RecipeDifference> out;
  const auto add = [&](const std::string& path, const std::string& from, const std::string& to) {
    auto name = path.substr(1);
    std::replace(name.begin(), name.end(), '/', '.');
    out.push_back({std::move(name), from, to});
  };
  constexpr const char* kAbsent = "absent";
  for (const auto& [path, value] : is.items())
    if (!was.contains(path))
      add(path, kAbsent, value.dump());
    else if (was[path] != value)
      add(path, was[path].dump(), value.dump());
  for (const auto& [path, value] : was.items())
    if (!is.contains(path)) add(path, value.dump(), kAbsent);
  return out;
}

json describe(const Simulation& simulation) {
  return {{"biomarkers", content_key(biomarkers_to_toml(simulation.biomarkers, ""))},
          {"participants", simulation.size.participants},
          {"healthy_ratio", simulation.size.healthy_ratio}};
}

json describe_assumed(const Experiment& experiment) {
  auto out = describe(*experiment.simulation());
  if (experiment.has_real_cohort()) {
    out.erase("participants");
    out.erase("healthy_ratio");
  }
  return out;
}

}  // namespace tempo
