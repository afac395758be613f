#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "results/lock_files.hpp"
#include "results/store.hpp"
#include "run/run_mark.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// Takes the lock of an open file that somebody may hold for a moment still: a process that was
/// killed and is not gone yet, or one that looks whether a folder is in use. The lock goes with the
/// file's last descriptor. @return whether nobody else has it
bool lock_alone(int file);

/// The folder of a run: `results.sqlite`, `results.csv`, `experiment.lock.toml`, `run.log`. Held by
/// one process at a time.
class RunFolder {
 public:
  /// Makes the folder and takes its lock.
  /// @param waiting  where it takes a while to see whether another machine is using it
  /// @throws Error if it cannot be made, holds foreign files, or another tempo is using it.
  explicit RunFolder(std::filesystem::path path, const Waiting& waiting = {});
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path store() const { return store_in(path_); }
  /// Where a run folder keeps its store.
  static std::filesystem::path store_in(const std::filesystem::path& folder);
  /// Whether it is one of the files that a run keeps in its folder; pages and what others write
  /// there are not.
  static bool keeps(const std::filesystem::path& file);
  /// Where a run folder says what was run: an experiment file, resolved.
  static std::filesystem::path lock_file_in(const std::filesystem::path& folder);
  /// Complains if a folder has no store, and names the run folder beside it or in `runs` that may
  /// be meant.
  static void expect_store(const std::filesystem::path& folder, Problems& problems);
  /// Complains of a folder that tempo merge made of several experiments: a run of one would put the
  /// others aside.
  static void expect_one_experiment(const std::filesystem::path& folder, Store& store,
                                    Problems& problems);
  /// @throws InputError if a store holds no plan: its run was killed before it began
  static void expect_plan(const std::filesystem::path& folder, Store& store);
  /// Whether a run took a folder and was killed before it had a store.
  static bool was_killed_at_once(const std::filesystem::path& folder);
  /// The store that an earlier run left in a folder, to read; null if none did.
  /// @throws Error as Store.
  static std::unique_ptr<Store> earlier_store(const std::filesystem::path& folder);
  /// Appends a line to run.log. @throws Error if it cannot be written.
  void log(const std::string& line) const;
  void write_lock_file(const std::string& text) const { write(kLockFile, text); }
  /// Writes a file whole or not at all.
  void write(const std::string& name, const std::string& text) const;

 private:
  static constexpr const char* kInUse = "run.lock";

  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace tempo
