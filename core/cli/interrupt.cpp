#include "cli/interrupt.hpp"

#include <unistd.h>

#include <csignal>

#include "cli/command.hpp"

namespace tempo::cli {
namespace {

std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void ask_to_stop(int) {
  if (stop_asked.exchange(true)) _exit(kInterrupted);
}

}  // namespace

const std::atomic<bool>& stop_on_interrupt() {
  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
  return stop_asked;
}

}  // namespace tempo::cli
