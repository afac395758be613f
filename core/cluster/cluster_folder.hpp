#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "run/shard.hpp"

namespace tempo {

/// How a run was cut into tasks.
struct Submission {
  std::string launcher;
  std::size_t models = 0;              ///< tasks that train a model and make the fits with it
  std::size_t tasks = 0;               ///< tasks that make the fits without a model
  std::vector<std::string> jobs = {};  ///< numbers of the scheduler, of the latest submission
};

/// The folder `cluster` of a run folder:
///
///   experiment.lock.toml   what the tasks run
///   submission.json        how the run was cut
///   *.sbatch, Snakefile    what schedulers read
///   logs/                  what tasks print
///   parts/model-I, fits-I  a run folder per task
class ClusterFolder {
 public:
  /// @param run  the run folder, which need not be there
  explicit ClusterFolder(const std::filesystem::path& run);

  const std::filesystem::path& run() const { return run_; }  ///< absolute
  std::filesystem::path path() const { return run_ / kName; }
  std::filesystem::path lock_file() const { return path() / "experiment.lock.toml"; }
  std::filesystem::path logs() const { return path() / "logs"; }
  std::filesystem::path parts() const { return path() / "parts"; }
  /// Of the task that has this part of the plan.
  std::filesystem::path part(const Shard& shard) const;
  /// The folders of tasks that have a store.
  std::vector<std::filesystem::path> stored_parts() const;

  /// Absent if nothing was submitted. @throws Error if the file says something else
  std::optional<Submission> submission() const;
  void write(const Submission& submission) const;

  static constexpr const char* kName = "cluster";

 private:
  std::filesystem::path run_;
};

}  // namespace tempo
