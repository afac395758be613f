#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

#include "cluster/launch.hpp"

namespace tempo {

/// What became of the tasks of a launch.
struct LocalCounts {
  std::size_t done = 0;    ///< all their fits went well
  std::size_t failed = 0;  ///< some fits failed, or the task could not begin
  std::size_t killed = 0;
  bool interrupted = false;
};

/// Runs the tasks of a launch as processes of this machine, and waits for them. A task that trains
/// goes before its fits. Processes end with this one.
/// @param at_a_time  tasks
/// @param tell       gets a line when a task has ended; called from one thread at a time
LocalCounts run_locally(const Launch& launch, std::size_t at_a_time, const std::atomic<bool>& stop,
                        const std::function<void(const std::string&)>& tell);

}  // namespace tempo
