#include "cli/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "cli/command.hpp"
#include "tempo/stop.hpp"

namespace tempo::cli {
namespace {

std::atomic<bool> is_told_to_end = false;
std::atomic<bool> is_watched = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int) {
  if (ask_to_stop()) _exit(kInterrupted);
}

extern "C" void on_early_end(int) {
  constexpr std::string_view kWords = "interrupted before it was done\n";
  static_cast<void>(!write(STDERR_FILENO, kWords.data(), kWords.size()));
  _exit(kInterrupted);
}

/// Somebody may want it to live on when a terminal goes (nohup).
void on_hangup(void (*handler)(int)) {
  if (std::signal(SIGHUP, handler) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

extern "C" void on_alarm(int) {
  constexpr std::string_view kWords = kDidNotStop;
  static_cast<void>(!write(STDERR_FILENO, kWords.data(), kWords.size()));
  _exit(kInterrupted);
}

extern "C" void on_termination(int) {
  is_told_to_end = true;
  const bool is_repeated = ask_to_stop();
  if (is_watched) return;
  if (is_repeated) _exit(kInterrupted);
  alarm(kSecondsToStop);
}

}  // namespace

void end_on_interrupt() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, on_early_end);
  on_hangup(on_early_end);
}

const std::atomic<bool>& stop_on_interrupt() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_termination);
  on_hangup(on_termination);
  std::signal(SIGALRM, on_alarm);
  // Whoever reads the output may stop reading (`| head -1`): the results go to files all the same.
  std::signal(SIGPIPE, SIG_IGN);
  return stop_asked();
}

void leave_on_interrupt() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) std::signal(signal, SIG_DFL);
}

void bear_repeated_terminations() {
  is_watched = true;
  alarm(0);  // of a SIGTERM that came before: the watch counts from now on
}

bool is_terminated() { return is_told_to_end; }

}  // namespace tempo::cli
