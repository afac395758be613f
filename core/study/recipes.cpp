#include "study/recipes.hpp"

#include <fmt/format.h>

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

Described Describer::plugin(InterfaceKind kind, const std::string& id,
                            const ParameterTable& settings) {
  return {{{"plugin", id},
           {"version", version(kind, id)},
           {"settings", json::parse(canonical_json(settings))}},
          {name_of(kind, id)}};
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
  auto out = plugin(kind, part.plugin, part.settings);
  auto& settings = out.recipe["settings"];
  const auto* record = registry_.find(kind, part.plugin);
  if (record == nullptr) return out;
  for (const auto& spec : record->parameters) {
    const auto& key = spec.key;
    if (spec.role == ParameterRole::device || spec.role == ParameterRole::aside)
      settings.erase(key);
    if (spec.role == ParameterRole::files && settings.contains(key))
      for (auto& word : settings[key]) word = with_content(word.get<std::string>());
  }
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
