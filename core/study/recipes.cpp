#include "study/recipes.hpp"

#include <fmt/format.h>

#include "data/biomarker_file.hpp"
#include "data/content_key.hpp"

namespace tempo {

using nlohmann::json;

namespace {

std::string name_of(InterfaceKind kind, const std::string& id) {
  return fmt::format("{} {}", to_string(kind), id);
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
  if (const auto* device = registry_.parameter_with(kind, part.plugin, ParameterRole::device))
    out.recipe["settings"].erase(device->key);
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
