#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tempo/parameters.hpp"

namespace tempo {

/// What a scheduler is asked for, of a task each. Texts that are empty are not asked for.
struct TaskNeeds {
  std::string partition;
  std::string account;
  std::string time = "01:00:00";  ///< as Slurm takes it
  std::string memory = "2G";      ///< likewise
  std::size_t cpus = 1;
  std::size_t gpus = 0;
  /// Further lines: options of the scheduler, which begin with `--`, and lines of shell.
  std::vector<std::string> extra;
};

/// [cluster]: how `tempo submit` cuts a run into tasks. Results depend on nothing of it.
struct ClusterSettings {
  TaskNeeds fits;
  TaskNeeds trainings;       ///< [cluster.training]: those of the fits unless it says otherwise
  std::size_t tasks = 0;     ///< of fits without a model; 0: as many as their cost calls for
  std::size_t throttle = 0;  ///< tasks of an array at a time; 0: as many as the scheduler allows
};

/// Reads the keys of [cluster]; faults go to the problems of `keys`.
ClusterSettings read_cluster(Parameters& keys);

}  // namespace tempo
