#pragma once

#include <filesystem>

namespace tempo {

/// Looks at a file that the dynamic linker would only call invalid, or crash on: file type,
/// architecture, length.
/// @throws PluginError saying what was found, what was expected and the likely cause: the end of a
///   sentence that begins with the path.
void check_library_file(const std::filesystem::path& path);

}  // namespace tempo
