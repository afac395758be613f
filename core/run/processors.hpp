#pragma once

#include <cstddef>
#include <string>

namespace tempo {

/// The processors that this process may use, and who says so.
struct Processors {
  std::size_t count = 1;
  std::string because;  ///< `this process may use 2 cores`, `SLURM_CPUS_PER_TASK is 4`
};

/// Those of the process's affinity (taskset, cpusets of a scheduler), or fewer where Slurm gave its
/// task fewer.
Processors processors();

/// From here on libraries for linear algebra and OpenMP start no threads of their own accord: fits
/// run side by side already, and each would start as many again. To be called before any of them is
/// loaded; programs that tempo starts inherit it.
void forbid_hidden_threads();

}  // namespace tempo
