#pragma once

#include <cstddef>
#include <string>

namespace tempo::cli {

/// How wide tables on standard output may be: as wide as the terminal, within reason; elsewhere
/// kScreenWidth.
std::size_t screen_width();

/// A message for standard error: on a terminal in lines no wider than kScreenWidth, the later ones
/// indented; in a file or a pipe, where lines are searched, one line.
std::string in_lines(const std::string& message);

/// A text as an argument of a shell's command: quoted where it has to be.
std::string as_argument(const std::string& text);

}  // namespace tempo::cli
