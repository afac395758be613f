#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tempo::process {

/// Seconds from SIGTERM to SIGKILL for a program whose time is over.
inline constexpr double kGrace = 5.0;
/// The same where tempo itself has been asked to stop, unless Limits say otherwise.
inline constexpr double kStopGrace = 0.5;

/// What a program may use. It and everything that it starts count together.
struct Limits {
  double seconds = 600.0;                         ///< by the clock; then SIGTERM, and later SIGKILL
  std::uint64_t memory = std::uint64_t{4} << 30;  ///< bytes held in memory
  std::size_t processes = 512;                    ///< at a time
  std::uint64_t file = std::uint64_t{1} << 30;    ///< bytes of a file that it writes
  std::size_t kept = std::size_t{1} << 16;        ///< bytes of its output, and of its errors
  double stop_grace = kStopGrace;                 ///< seconds that it gets when tempo is to stop
};

/// This program, as a command: the file may have been replaced or removed since it began.
inline constexpr const char* kThisProgram = "/proc/self/exe";

/// A program and where it runs.
struct Call {
  std::vector<std::string> command;  ///< the first is looked for in PATH unless it has a slash
  /// `NAME=value`, and nothing else; nothing: what tempo has.
  std::optional<std::vector<std::string>> environment = {};
  std::filesystem::path folder = {};  ///< where it works; empty: where tempo does
};

enum class Outcome {
  exited,              ///< by itself; its status may tell of a failure
  crashed,             ///< of a signal
  timed_out,           ///< Limits::seconds
  out_of_memory,       ///< Limits::memory
  too_many_processes,  ///< Limits::processes
  not_started,         ///< not found, not executable, ...
  interrupted,         ///< tempo was asked to stop
};

/// How a program ended.
struct End {
  Outcome outcome = Outcome::exited;
  int code = 0;              ///< exit status, signal, or errno of one that was not started
  double seconds = 0.0;      ///< by the clock
  std::uint64_t memory = 0;  ///< most bytes that it and its children held, as far as was seen
  std::string output = {};   ///< the end of its standard output
  std::string errors = {};   ///< the end of its standard error
  bool output_is_cut = false, errors_are_cut = false;  ///< whether there was more than that
};

/// Runs a program until it ends or a limit ends it. Then everything that it has started is killed,
/// whether or not that has left its process group; so it is if this process dies, however it does.
/// Its standard input is empty. Thread-safe.
/// @param stop  set by a signal handler, say: the program is ended, within a second
/// @throws Error if the system gives no process or pipe
End run(const Call& call, const Limits& limits, const std::atomic<bool>* stop = nullptr);

/// Whether it ended by itself and says that all is well.
inline bool is_success(const End& end) { return end.outcome == Outcome::exited && end.code == 0; }

/// `ended with status 1`, `crashed (signal 11, Segmentation fault)`, `took more than 5 s`, ...:
/// what `the program` did, without its last words.
std::string in_words(const End& end, const Limits& limits);

/// The last lines of what a program said, on one line and no more than half a kilobyte; empty if it
/// said nothing.
std::string last_words(const std::string& text);

}  // namespace tempo::process
