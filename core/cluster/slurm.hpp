#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cluster/launch.hpp"

namespace tempo {

/// A script for sbatch, and what it waits for.
struct SlurmJob {
  enum class After {
    nothing,
    same_task,  ///< the task of the same number of the job before it
    all         ///< the end of all jobs before it, however they ended
  };
  ClusterFile script;
  After after = After::nothing;
};

/// In the order in which they are submitted: trainings, fits with their models, fits without, the
/// merge. Arrays are cut so that no index reaches `most`, Slurm's MaxArraySize.
std::vector<SlurmJob> slurm_jobs(const Launch& launch, std::size_t most);

/// The call of sbatch that submits a job. @param jobs  numbers of those submitted before it
std::vector<std::string> sbatch_call(const ClusterFolder& folder, const SlurmJob& job,
                                     const std::vector<std::string>& jobs);

/// `1-3,7,9-10`, as --array takes it. @param numbers  ascending
std::string in_ranges(const std::vector<std::size_t>& numbers);

/// Slurm's own default, where it cannot be asked.
inline constexpr std::size_t kDefaultMaxArraySize = 1001;
/// MaxArraySize of the site; absent where there is no Slurm that answers.
std::optional<std::size_t> max_array_size();
/// Whether any of these jobs waits or runs, as squeue says; no where it does not answer.
bool is_in_queue(const std::vector<std::string>& jobs);

}  // namespace tempo
