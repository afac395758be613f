#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tempo/plugin.hpp"

namespace tempo {

/// Loads a shared library and checks everything that must match before C++ crosses: file type,
/// architecture, length, entry point, magic, struct size, interface kind, build tag, id
/// (which is also the name of the file). The library stays loaded until the process ends.
/// @param on_trial  loads it in a child process first: one that is damaged may crash the dynamic
///   linker, which must not end the program
/// @throws PluginError saying what was found, what was expected and the likely cause: the end of a
///   sentence that begins with the path.
const PluginDescriptor& load_descriptor(const std::filesystem::path& path, bool on_trial);

/// What a plugin says of itself is shown on terminals, and kept in files as UTF-8.
/// @param what  of the plugin: `the summary of its PluginInfo`
/// @throws PluginError if the text holds other bytes, or control characters
void expect_text(const std::string& what, std::string_view text);

}  // namespace tempo
