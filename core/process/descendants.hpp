#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace tempo::process {

/// The processes that descend from this one, as /proc has them at a time. Not all kernels list the
/// children of a process: this reads the parents of all processes.
///
/// It works in the fork of a process with threads: its memory comes from the system, not from the
/// heap, whose locks another thread may have held.
class Descendants {
 public:
  Descendants();
  ~Descendants();
  Descendants(const Descendants&) = delete;
  Descendants& operator=(const Descendants&) = delete;

  /// Looks at all processes again.
  void look();

  std::size_t count() const { return count_; }
  /// Bytes that they hold in memory; pages that several share count for each.
  std::uint64_t memory() const { return memory_; }
  /// The same, but of a shared page its part: exact, and slow.
  std::uint64_t shared_out_memory() const;
  /// Kills the process group of each: no process of a group can fork away.
  void kill_groups() const;
  /// Sends each of them a signal, once.
  void signal_each(int number) const;

 private:
  struct Process {
    pid_t id, parent, group;
    std::uint32_t pages;
    bool descends;
  };
  void mark();
  const Process* find(pid_t id) const;

  Process* all_ = nullptr;  ///< by id
  std::size_t size_ = 0;
  std::size_t count_ = 0;
  std::uint64_t memory_ = 0;
};

/// Kills whatever descends from this process, and waits until it is gone; gives up on what cannot
/// be killed. @pre orphans become children of this process (PR_SET_CHILD_SUBREAPER). Safe as
/// Descendants are.
void kill_descendants();

/// Processes and threads of the user. Safe as Descendants are.
std::size_t tasks_of_user();

}  // namespace tempo::process
