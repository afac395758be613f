#pragma once

#include <cstddef>
#include <string>

namespace tempo::cli {

/// How wide tables on standard output may be: as wide as the terminal, within reason; elsewhere
/// kScreenWidth.
std::size_t screen_width();

/// A text as an argument of a shell's command: quoted where it has to be.
std::string as_argument(const std::string& text);

}  // namespace tempo::cli
