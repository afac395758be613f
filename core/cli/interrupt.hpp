#pragma once

#include <atomic>

namespace tempo::cli {

/// From here on Ctrl-C, SIGTERM or a terminal that goes (SIGHUP) ends this process with a word and
/// kInterrupted: it has nothing yet to bring to an end.
void end_on_interrupt();

/// From here on the first Ctrl-C (or SIGTERM, SIGHUP) sets stop_asked(), and the second leaves at
/// once; so does SIGTERM two seconds later. Output that nobody reads any more ends nothing.
/// @return stop_asked()
const std::atomic<bool>& stop_on_interrupt();

/// From here on signals end this process as they end others: it has nothing to bring to an end.
void leave_on_interrupt();

/// Whether it was SIGTERM that asked: whoever sends it, such as a scheduler, sends SIGKILL next.
bool is_terminated();
/// From here on SIGTERM only asks to stop, however often some schedulers send it: somebody sees to
/// it that the process ends in time.
void bear_repeated_terminations();
/// What is at work gets so long from SIGTERM on.
inline constexpr unsigned kSecondsToStop = 2;

/// What commands say once when they have been asked to stop: where all fits are in this process,
/// and where some are not.
inline constexpr const char* kStopping =
    "stopping after the fits in flight; Ctrl-C again to leave at once\n";
inline constexpr const char* kStoppingIsolated =
    "stopping: fits in processes of their own are ended and made later, others end first; Ctrl-C "
    "again to leave at once\n";
/// What they say if that takes longer than kSecondsToStop.
inline constexpr const char* kDidNotStop =
    "\nended: what was at work did not stop within 2 seconds of SIGTERM; what was stored stays\n";

}  // namespace tempo::cli
