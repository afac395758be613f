#include "cli/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "cli/command.hpp"
#include "tempo/stop.hpp"

namespace tempo::cli {
namespace {

/// Whoever sends SIGTERM sends SIGKILL next.
constexpr unsigned kSecondsToStop = 2;

extern "C" void on_interrupt(int signal) {
  if (ask_to_stop()) _exit(kInterrupted);
  if (signal == SIGTERM) alarm(kSecondsToStop);
}

extern "C" void on_alarm(int) {
  constexpr std::string_view kWords =
      "\nended: what was at work did not stop within 2 seconds of SIGTERM; what was stored stays\n";
  static_cast<void>(!write(STDERR_FILENO, kWords.data(), kWords.size()));
  _exit(kInterrupted);
}

}  // namespace

const std::atomic<bool>& stop_on_interrupt() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGALRM, on_alarm);
  // Whoever reads the output may stop reading (`| head -1`): the results go to files all the same.
  std::signal(SIGPIPE, SIG_IGN);
  return stop_asked();
}

void leave_on_interrupt() {
  for (const int signal : {SIGINT, SIGTERM, SIGALRM}) std::signal(signal, SIG_DFL);
}

}  // namespace tempo::cli
