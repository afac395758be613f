#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tempo/parameters.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// Reads a TOML 1.0 file. Keys keep the order in which they are written; each key and value knows
/// its place, with the file named as `path` is. A file that cannot be read, is empty, breaks TOML's
/// grammar or gives a key twice yields one problem and an empty table, because the text after a
/// fault of grammar has no meaning. Each date or time is a problem, since no setting needs one.
ParameterTable read_toml(const std::filesystem::path& path, Problems& problems);

/// The same from memory.
/// @param name  what places call the text instead of a file: `--set`, `adni-12`
ParameterTable read_toml_text(std::string_view text, const std::string& name, Problems& problems);

/// Writes TOML that reads back equal (as canonical_json compares): plain keys first, then a
/// `[table]` for each table and a `[[table]]` for each list of tables; deeper ones are inline. A
/// whole number that is a double keeps its point (`2.0`). Ends in a line feed unless empty.
std::string to_toml(const ParameterTable& table);

}  // namespace tempo
