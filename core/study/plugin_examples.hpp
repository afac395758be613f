#pragma once

#include <string>
#include <vector>

#include "registry.hpp"

namespace tempo {

/// The installed plugins of a kind that need no settings, ids ascending: those that an id alone
/// names.
std::vector<std::string> ids_without_settings(const Registry& registry, InterfaceKind kind);

// What messages propose where an entry is missing, of the plugins that are installed: the ends of
// sentences, empty if there is none to propose. Only for messages, since all libraries are loaded.

/// `, such as plugin = "ID"`: the first hypothesis that needs no settings.
std::string such_as_hypothesis(const Registry& registry);
/// The same of the first method that looks at diagnoses, and needs neither training nor a
/// hypothesis nor settings.
std::string such_as_method(const Registry& registry);

}  // namespace tempo
