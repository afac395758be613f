#include "tempo/stop.hpp"

namespace tempo {
namespace {

// A signal has no other way to whoever is at work.
std::atomic<bool> is_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

const std::atomic<bool>& stop_asked() noexcept { return is_asked; }

bool ask_to_stop() noexcept { return is_asked.exchange(true); }

}  // namespace tempo
