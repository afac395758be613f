#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tempo::cli {

/// Runs another program, found on the PATH, and waits for it; it shares our standard streams.
/// @param call its name and its arguments, no shell in between
/// @return its exit status (128 and more: ended by a signal), or nothing if there is no such
/// program
/// @throws Error if it cannot be started for another reason.
std::optional<int> run_program(const std::vector<std::string>& call);

}  // namespace tempo::cli
