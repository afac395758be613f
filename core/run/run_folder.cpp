#include "run/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>
#include <vector>

#include "data/near_path.hpp"
#include "data/text_file.hpp"
#include "results/disk.hpp"
#include "run/models.hpp"
#include "run/run_mark.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace fs = std::filesystem;

bool lock_alone(int lock) {
  constexpr int kTries = 50;
  for (int i = 0; i < kTries; ++i) {
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno == ENOSYS || errno == EOPNOTSUPP || errno == ENOLCK)
      return true;  // a disk without locks: tasks have folders of their own
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

namespace {

/// What is directly in a folder. @throws Error with the system's reason
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code failure;
  std::vector<fs::path> out;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure))
    out.push_back(at->path());
  if (failure)
    throw Error(fmt::format("cannot read the folder '{}': {}", folder.string(), failure.message()));
  return out;
}

/// Whether a folder is empty, or as a training leaves it whose run was taken away while it went on.
bool holds_models_at_most(const fs::path& folder) {
  const auto models = Models::folder_in(folder);
  const auto entries = entries_of(folder);
  if (entries.empty()) return true;
  std::error_code unknown;
  if (entries != std::vector{models} || !fs::is_directory(models, unknown)) return false;
  const auto left = entries_of(models);
  return std::all_of(left.begin(), left.end(), [](const fs::path& path) {
    const auto name = path.filename().string();
    return name == Models::kCheckpoints || name.ends_with(Models::kModelEnding) ||
           name.ends_with(Models::kHistoryEnding);
  });
}

}  // namespace

RunFolder::RunFolder(fs::path path, const Waiting& waiting) : path_(std::move(path)) {
  std::error_code failure;
  if (fs::exists(path_, failure) && !fs::is_directory(path_, failure))
    throw Error(fmt::format("'{}' is a file, expected a folder for the run", path_.string()));
  if (fs::is_directory(path_, failure) && !fs::exists(store()) && !fs::exists(path_ / kInUse) &&
      !holds_models_at_most(path_))
    throw Error(
        fmt::format("'{}' holds other files and no results.sqlite; choose an empty or new "
                    "folder with --out",
                    path_.string()));
  fs::create_directories(path_, failure);
  if (failure)
    throw Error(
        fmt::format("cannot make the run folder '{}': {}", path_.string(), failure.message()));
  const auto lock_file = path_ / kInUse;
  lock_ = open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0)
    throw Error(fmt::format("cannot write into the run folder '{}': {}", path_.string(),
                            std::strerror(errno)));
  if (!lock_alone(lock_) || (is_on_network_disk(path_) && is_used_elsewhere(path_, waiting))) {
    close(lock_);
    if (waiting.is_stopped())
      throw Stopped(
          fmt::format("interrupted before it was known whether another tempo is using the "
                      "run folder '{}'; nothing was done",
                      path_.string()));
    throw Error(
        fmt::format("another tempo is using the run folder '{}'; wait for it or choose "
                    "another with --out",
                    path_.string()));
  }
}

RunFolder::~RunFolder() { close(lock_); }

fs::path RunFolder::store_in(const fs::path& folder) { return folder / "results.sqlite"; }

bool RunFolder::keeps(const fs::path& file) {
  std::error_code unknown;
  if (!fs::exists(file, unknown)) return false;
  const auto itself = fs::weakly_canonical(file, unknown);
  const auto name = itself.filename().string();
  return fs::exists(store_in(itself.parent_path()), unknown) &&
         (name.starts_with(store_in({}).string()) || name.ends_with(kLockEnding) ||
          name == "results.csv" || name.starts_with("run."));
}

fs::path RunFolder::lock_file_in(const fs::path& folder) { return folder / kLockFile; }

void RunFolder::expect_store(const fs::path& folder, Problems& problems) {
  if (fs::exists(store_in(folder))) return;
  const auto meant =
      did_you_mean_path(folder, {folder.lexically_normal().parent_path(), "runs"},
                        [](const fs::path& path) { return fs::exists(store_in(path)); });
  const auto* const fault =
      fs::exists(folder) ? "is no run folder: it has no results.sqlite" : "no such folder";
  problems.add({folder.string()}, fault + meant);
}

void RunFolder::expect_one_experiment(const fs::path& folder, Store& store, Problems& problems) {
  const auto run = store.description();
  if (!run || run->joined.empty()) return;
  std::string names;
  for (const auto& experiment : run->joined)
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", experiment.name);
  problems.add({folder.string()},
               fmt::format("holds experiments that tempo merge joined ({}): a run of one of them "
                           "would leave the others out. Choose another --out, and join that run: "
                           "tempo merge RUN --out {}",
                           names, folder.string()));
}

void RunFolder::expect_plan(const fs::path& folder, Store& store) {
  if (!store.plan_key().empty()) return;
  Problems problems;
  problems.add(
      {store_in(folder).string()},
      "holds nothing: its run was killed before it began, or the file was emptied, or copied "
      "without the one that ends in -wal; tempo run with the same folder begins it");
  problems.throw_if_any();
}

bool RunFolder::was_killed_at_once(const fs::path& folder) {
  return fs::exists(folder / kInUse) && !fs::exists(store_in(folder));
}

std::unique_ptr<Store> RunFolder::earlier_store(const fs::path& folder) {
  const auto file = store_in(folder);
  return fs::exists(file) ? std::make_unique<Store>(file, Database::Mode::read) : nullptr;
}

void RunFolder::log(const std::string& line) const {
  const auto path = path_ / "run.log";
  std::ofstream file(path, std::ios::app);
  file << line << '\n' << std::flush;
  if (!file) throw Error(fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
}

void RunFolder::write(const std::string& name, const std::string& text) const {
  write_text_file(path_ / name, text);
}

}  // namespace tempo
