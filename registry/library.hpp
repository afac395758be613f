#pragma once

#include <filesystem>

#include "tempo/plugin.hpp"

namespace tempo {

/// Loads a shared library and checks everything that must match before C++ crosses: file type,
/// architecture, entry point, magic, struct size, interface kind and version, build tag, id.
/// The library stays loaded until the process ends.
/// @throws PluginError saying what was found, what was expected and the likely cause.
const PluginDescriptor& load_descriptor(const std::filesystem::path& path);

}  // namespace tempo
