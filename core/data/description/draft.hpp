#pragma once

#include <filesystem>
#include <string>

#include "tempo/problem.hpp"

namespace tempo {

/// Whether a file is a table itself, by the ending of its name, and not the description of one.
bool is_table(const std::filesystem::path& file);

/// The shortest description that a table may need, in TOML, with what its header and its diagnoses
/// suggest: to be looked through. A guess that cannot be made is left as `...`.
std::string draft_of_description(const std::filesystem::path& table, Problems& problems);

}  // namespace tempo
