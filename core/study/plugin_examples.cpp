#include "study/plugin_examples.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tempo {
namespace {

bool needs_settings(const PluginRecord& plugin) {
  return std::any_of(plugin.parameters.begin(), plugin.parameters.end(),
                     [](const ParameterSpec& spec) { return spec.fallback.empty(); });
}

template <class Condition>
std::string such_as(const Registry& registry, InterfaceKind kind, const Condition& is_example) {
  for (const auto& id : registry.usable_ids(kind)) {
    const auto* plugin = registry.find(kind, id);
    if (!needs_settings(*plugin) && is_example(*plugin->descriptor))
      return fmt::format(", such as plugin = \"{}\"", id);
  }
  return {};
}

}  // namespace

std::string such_as_hypothesis(const Registry& registry) {
  return such_as(registry, InterfaceKind::generative_process,
                 [](const PluginDescriptor&) { return true; });
}

std::string such_as_method(const Registry& registry) {
  return such_as(registry, InterfaceKind::inference_method, [](const PluginDescriptor& plugin) {
    return plugin.assumes_process == 0 &&
           plugin.labels != static_cast<std::uint32_t>(LabelUse::none);
  });
}

}  // namespace tempo
