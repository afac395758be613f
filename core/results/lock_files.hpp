#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tempo {

// A run folder has the experiment in full in kLockFile. One that tempo merge made of several
// experiments has a file for each, called like the experiment.

inline constexpr const char* kLockFile = "experiment.lock.toml";
inline constexpr const char* kLockEnding = ".lock.toml";

/// The lock files of a run folder by name, with their texts.
/// @throws Error if one cannot be read
std::vector<std::pair<std::string, std::string>> lock_files(
    const std::filesystem::path& run_folder);

/// All of them in one text, for people; empty if there are none. Where relative paths start is left
/// out if that is an absolute path. @throws Error likewise
std::string lock_text(const std::filesystem::path& run_folder);

}  // namespace tempo
