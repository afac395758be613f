#pragma once

#include <string>

namespace tempo::process {

/// A text as an argument of a shell's command: quoted where it has to be.
std::string as_argument(const std::string& text);

}  // namespace tempo::process
