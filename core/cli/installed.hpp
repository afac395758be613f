#pragma once

#include <string>
#include <vector>

#include "registry.hpp"

namespace tempo::cli {

/// The installed plugins of a kind that need no settings, ids ascending: those that an id alone
/// names.
std::vector<std::string> installed_without_settings(const Registry& registry, InterfaceKind kind);

}  // namespace tempo::cli
