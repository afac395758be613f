#pragma once

#include <filesystem>

namespace tempo {

/// A path as seen from a folder, with `..` for each step up: files that may leave the machine say
/// no more of it. An absolute path where the two share nothing but the root, or where a link on the
/// way would lead elsewhere.
std::filesystem::path seen_from(const std::filesystem::path& folder,
                                const std::filesystem::path& path);

}  // namespace tempo
