#include "cli/screen.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "report/table.hpp"
#include "report/text_layout.hpp"

namespace tempo::cli {

std::size_t screen_width() {
  constexpr std::size_t kLeast = 60;  // names and a column of numbers
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0)
    return kScreenWidth;
  return std::clamp<std::size_t>(size.ws_col, kLeast, kScreenWidth);
}

std::string in_lines(const std::string& message) {
  if (isatty(STDERR_FILENO) == 0) return message + "\n";
  return fmt::format("{}\n", fmt::join(wrapped(message, kScreenWidth, 2), "\n"));
}

}  // namespace tempo::cli
