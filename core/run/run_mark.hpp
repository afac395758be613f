#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "run/shard.hpp"

namespace tempo {

/// What a process that works in a run folder says of itself there, in the file `run.state`. Whoever
/// asks how far a run is reads it, and nothing that a scheduler keeps.
struct RunMark {
  enum class State {
    running,  ///< so it said last: alive, or killed since
    ended,    ///< by itself, with `code`
    stopped,  ///< by Ctrl-C or SIGTERM: what was done is kept
  };
  State state = State::running;
  int code = 0;  ///< exit status of one that has ended or was stopped
  Shard shard;
  std::string host;      ///< empty once it has ended
  long process = 0;      ///< its number on the host
  std::string job;       ///< `12_3`: Slurm's number of the task; empty elsewhere
  std::string began;     ///< 2026-01-31T12:00:00Z
  double seconds = 0.0;  ///< at work, by the clock, as of the last word
  double memory = 0.0;   ///< most bytes held at a time, likewise
  std::size_t jobs = 1;  ///< fits at a time
};

/// The mark of this process, which begins to work now.
RunMark new_mark(const Shard& shard, std::size_t jobs);
/// With what is known of this process now.
/// @param seconds  since it began
RunMark updated(RunMark mark, double seconds);

/// Where a run folder keeps its mark.
std::filesystem::path mark_in(const std::filesystem::path& folder);
std::string to_text(const RunMark& mark);
/// @return nothing if there is none that can be read
std::optional<RunMark> read_mark(const std::filesystem::path& folder);

/// How long a mark of a living process is left as it is, at most, in seconds; and how old one is
/// that is taken for a dead process's, on a disk whose locks do not tell.
inline constexpr double kMarkEvery = 10.0;
inline constexpr double kMarkIsOld = 60.0;

/// What becomes of a run folder.
enum class Activity {
  waiting,  ///< nobody has begun
  running,
  ended,    ///< as its mark says
  stopped,  ///< likewise
  lost,     ///< begun, and killed
};
/// What a run folder's lock and mark say.
struct Seen {
  std::optional<RunMark> mark;
  Activity activity = Activity::waiting;
};
Seen look_at(const std::filesystem::path& folder);

/// What a wait for another process is told by, and what ends it.
struct Waiting {
  std::function<void(const std::string&)> say = {};  ///< gets a line, why it waits
  const std::atomic<bool>* stop = nullptr;

  bool is_stopped() const { return stop != nullptr && *stop; }
};

/// Whether a process on another machine is at work in a run folder on a disk that machines share,
/// though its lock is free: not all such disks tell each machine of the others' locks. Where the
/// mark does not say, it is watched for longer than a living process leaves it as it is, and disks
/// may show it late.
/// @return also true if the wait was stopped
bool is_used_elsewhere(const std::filesystem::path& folder, const Waiting& waiting = {});

}  // namespace tempo
