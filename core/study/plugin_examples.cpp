#include "study/plugin_examples.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tempo {
namespace {

template <class Condition>
std::string such_as(const Registry& registry, InterfaceKind kind, const Condition& is_example) {
  for (const auto& id : ids_without_settings(registry, kind))
    if (is_example(*registry.find(kind, id)->descriptor))
      return fmt::format(", such as plugin = \"{}\"", id);
  return {};
}

}  // namespace

std::vector<std::string> ids_without_settings(const Registry& registry, InterfaceKind kind) {
  auto ids = registry.usable_ids(kind);
  std::erase_if(ids, [&](const std::string& id) {
    const auto& settings = registry.find(kind, id)->parameters;
    return std::any_of(settings.begin(), settings.end(),
                       [](const ParameterSpec& spec) { return spec.fallback.empty(); });
  });
  return ids;
}

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
