#pragma once

#include <cstdint>

#include "process/program.hpp"

namespace tempo::process {

/// What a supervisor tells at the end.
struct Report {
  Outcome outcome = Outcome::exited;
  int code = 0;
  double seconds = 0.0;
  std::uint64_t memory = 0;
};

/// The descriptors that a supervisor has.
struct SupervisorEnds {
  int tempo = -1;   ///< a byte says to end the program; the other end closes when tempo is gone
  int report = -1;  ///< where the report goes
  int input = -1, output = -1, errors = -1;  ///< of the program
};

/// What a supervised program is started with, made before the fork.
struct Start {
  char* const* arguments = nullptr;
  char* const* environment = nullptr;
  const char* folder = nullptr;
};

/// In the fork of a process: starts the program, waits for it, watches time and memory, kills what
/// is left and reports. It uses what a signal handler may use, and no memory of the heap, since
/// threads of the process may have held locks.
[[noreturn]] void supervise(const Start& start, const Limits& limits, const SupervisorEnds& ends);

}  // namespace tempo::process
