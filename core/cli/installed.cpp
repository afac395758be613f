#include "cli/installed.hpp"

#include <algorithm>

namespace tempo::cli {

std::vector<std::string> installed_without_settings(const Registry& registry, InterfaceKind kind) {
  auto ids = registry.usable_ids(kind);
  std::erase_if(ids, [&](const std::string& id) {
    const auto& settings = registry.find(kind, id)->parameters;
    return std::any_of(settings.begin(), settings.end(),
                       [](const ParameterSpec& spec) { return spec.fallback.empty(); });
  });
  return ids;
}

}  // namespace tempo::cli
