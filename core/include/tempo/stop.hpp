#pragma once

#include <atomic>

#include "tempo/export.hpp"

namespace tempo {

/// Whether tempo has been asked to stop (Ctrl-C). A fit that takes longer than a second looks at it
/// now and then, and throws Stopped.
TEMPO_API const std::atomic<bool>& stop_asked() noexcept;

/// Asks for it, once and for all: for the program's signal handler, which may call it.
/// @return whether it had been asked before
TEMPO_API bool ask_to_stop() noexcept;

}  // namespace tempo
