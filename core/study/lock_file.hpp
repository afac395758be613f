#pragma once

#include <filesystem>
#include <string>

#include "study/plan.hpp"

namespace tempo {

/// The text of experiment.lock.toml: the experiment as Study::lock has it, and the versions that
/// make the numbers. Where the experiment's relative paths start is named as seen from `where`.
/// @param where  the folder that gets the file
std::string lock_file(const Study& study, const Plan& plan, const std::filesystem::path& where);

/// The text of a lock file that moves to another folder.
/// @param from  the folder that it was written for
std::string moved_lock_file(const std::string& text, const std::filesystem::path& from,
                            const std::filesystem::path& to);

}  // namespace tempo
