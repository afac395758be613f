#pragma once

#include <filesystem>

namespace tempo {

/// Where the files lie that come with the program, such as its experiments: ../share/tempo seen
/// from it, in a build tree and an installation alike.
std::filesystem::path installed_files();

}  // namespace tempo
