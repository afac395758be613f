#pragma once

#include <cstddef>
#include <string>

#include "process/shell.hpp"

namespace tempo::cli {

/// How wide tables on standard output may be: as wide as the terminal, within reason; elsewhere
/// kScreenWidth.
std::size_t screen_width();

/// A message for standard error: on a terminal in lines no wider than kScreenWidth, the later ones
/// indented; in a file or a pipe, where lines are searched, one line.
std::string in_lines(const std::string& message);

using process::as_argument;

}  // namespace tempo::cli
