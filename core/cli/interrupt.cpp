#include "cli/interrupt.hpp"

#include <unistd.h>

#include <csignal>

#include "cli/command.hpp"
#include "tempo/stop.hpp"

namespace tempo::cli {
namespace {

extern "C" void on_interrupt(int) {
  if (ask_to_stop()) _exit(kInterrupted);
}

}  // namespace

const std::atomic<bool>& stop_on_interrupt() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  return stop_asked();
}

}  // namespace tempo::cli
