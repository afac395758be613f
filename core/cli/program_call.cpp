#include "cli/program_call.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tempo/error.hpp"

namespace tempo::cli {

std::optional<int> run_program(const std::vector<std::string>& call) {
  std::vector<char*> arguments;
  for (const auto& argument : call) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failure =
      posix_spawnp(&child, arguments.front(), nullptr, nullptr, arguments.data(), environ);
  if (failure == ENOENT) return std::nullopt;
  if (failure != 0)
    throw Error(fmt::format("cannot start '{}': {}", call.front(), std::strerror(failure)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      throw Error(fmt::format("lost sight of '{}': {}", call.front(), std::strerror(errno)));
  constexpr int kSignalled = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + WTERMSIG(status);
}

}  // namespace tempo::cli
