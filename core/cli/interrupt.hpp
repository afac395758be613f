#pragma once

#include <atomic>

namespace tempo::cli {

/// From here on the first Ctrl-C (or SIGTERM) sets stop_asked(), and the second leaves at once.
/// @return stop_asked()
const std::atomic<bool>& stop_on_interrupt();

}  // namespace tempo::cli
