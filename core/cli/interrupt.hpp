#pragma once

#include <atomic>

namespace tempo::cli {

/// From here on the first Ctrl-C (or SIGTERM) sets the flag and the second leaves at once.
const std::atomic<bool>& stop_on_interrupt();

}  // namespace tempo::cli
