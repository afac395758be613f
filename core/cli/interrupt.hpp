#pragma once

#include <atomic>

namespace tempo::cli {

/// From here on the first Ctrl-C (or SIGTERM) sets stop_asked(), and the second leaves at once; so
/// does SIGTERM two seconds later. Output that nobody reads any more ends nothing.
/// @return stop_asked()
const std::atomic<bool>& stop_on_interrupt();

/// What commands say once when they have been asked to stop.
inline constexpr const char* kStopping =
    "stopping after the fits in flight; Ctrl-C again to leave at once\n";

}  // namespace tempo::cli
