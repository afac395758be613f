#include "run/run_mark.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "data/text_file.hpp"
#include "results/disk.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::array<const char*, 3> kStates{"running", "ended", "stopped"};  // in their order

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string variable(const char* name) {
  const auto* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string job_of_slurm() {
  if (const auto array = variable("SLURM_ARRAY_JOB_ID"); !array.empty())
    return array + "_" + variable("SLURM_ARRAY_TASK_ID");
  return variable("SLURM_JOB_ID");
}

/// Whether a process holds the lock of a run folder.
bool is_locked(const fs::path& folder) {
  const int lock = ::open((folder / "run.lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (lock < 0) return false;
  // Any other fault: the disk has no locks, and the mark alone tells.
  const bool is_held = ::flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(lock);
  return is_held;
}

using FileTime = fs::file_time_type;

/// Whether somebody has renewed the mark of late.
bool is_fresh(const fs::path& mark, FileTime now = FileTime::clock::now()) {
  std::error_code failure;
  const auto when = fs::last_write_time(mark, failure);
  if (failure) return false;
  const std::chrono::duration<double> age = now - when;
  return age.count() < kMarkIsOld;
}

/// The time by the clock of the machine that keeps a run folder, which the times of its files are
/// by; by the clock of this one if nothing can be written there.
FileTime now_in(const fs::path& folder) {
  std::error_code failure;
  const auto lock = folder / "run.lock";
  if (::utimensat(AT_FDCWD, lock.c_str(), nullptr, 0) == 0) {
    const auto now = fs::last_write_time(lock, failure);
    if (!failure) return now;
  }
  return FileTime::clock::now();
}

/// Whether a process of this machine is there still; those of other users are, too.
bool is_alive(long process) {
  return ::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM;
}

/// Whether a mark says by itself that nobody is at work.
bool tells_of_nobody(const RunMark& mark) {
  return mark.state != RunMark::State::running ||
         (mark.host == host_name() && !is_alive(mark.process)) ||
         // A task that its scheduler began again: it saw to the end of the first.
         (!mark.job.empty() && mark.job == job_of_slurm());
}

}  // namespace

RunMark new_mark(const Shard& shard, std::size_t jobs) {
  RunMark mark;
  mark.shard = shard;
  mark.host = host_name();
  mark.process = ::getpid();
  mark.job = job_of_slurm();
  mark.began = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
  mark.jobs = jobs;
  return mark;
}

RunMark updated(RunMark mark, double seconds) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  rusage of_children{};
  ::getrusage(RUSAGE_CHILDREN, &of_children);
  mark.memory = 1024.0 * static_cast<double>(std::max(used.ru_maxrss, of_children.ru_maxrss));
  mark.seconds = seconds;
  return mark;
}

fs::path mark_in(const fs::path& folder) { return folder / "run.state"; }

std::string to_text(const RunMark& mark) {
  const json out{{"state", kStates[static_cast<std::size_t>(mark.state)]},
                 {"code", mark.code},
                 {"shard", to_string(mark.shard)},
                 {"host", mark.host},
                 {"process", mark.process},
                 {"job", mark.job},
                 {"began", mark.began},
                 {"seconds", mark.seconds},
                 {"memory", mark.memory},
                 {"jobs", mark.jobs}};
  return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::optional<RunMark> read_mark(const fs::path& folder) {
  Problems absent;
  const auto text = read_text_file(mark_in(folder), absent);
  if (!text) return std::nullopt;
  try {
    const auto in = json::parse(*text);
    RunMark mark;
    const auto state = in.at("state").get<std::string>();
    for (std::size_t i = 0; i < kStates.size(); ++i)
      if (state == kStates[i]) mark.state = static_cast<RunMark::State>(i);
    mark.code = in.at("code");
    mark.shard = parse_shard(in.at("shard").get<std::string>()).value_or(Shard());
    mark.host = in.at("host");
    mark.process = in.at("process");
    mark.job = in.at("job");
    mark.began = in.at("began");
    mark.seconds = in.at("seconds");
    mark.memory = in.at("memory");
    mark.jobs = in.at("jobs");
    return mark;
  } catch (const json::exception&) {
    return std::nullopt;  // of another version, or damaged: the folder's results tell more
  }
}

Seen look_at(const fs::path& folder) {
  // The lock first: a mark that is read after its process has let go of the folder is the last.
  const bool is_held = is_locked(folder);
  Seen out{read_mark(folder), Activity::running};
  const auto& mark = out.mark;
  if (is_held) return out;
  if (!mark)
    out.activity = Activity::waiting;
  else if (mark->state == RunMark::State::ended)
    out.activity = Activity::ended;
  else if (mark->state == RunMark::State::stopped)
    out.activity = Activity::stopped;
  // A disk that several machines share may keep locks to each of them, or to each mount.
  else if (!is_fresh(mark_in(folder)) ||
           (mark->host == host_name() && !(is_on_network_disk(folder) && is_alive(mark->process))))
    out.activity = Activity::lost;
  return out;
}

bool is_used_elsewhere(const fs::path& folder, const Waiting& waiting) {
  constexpr std::chrono::duration<double> kShownLate(20.0);
  constexpr std::chrono::duration<double> kLong =
      std::chrono::duration<double>(kMarkEvery) * 1.5 + kShownLate;
  auto first = read_mark(folder);
  // An old one is of no use, and neither is one that is not there; one that cannot be read may be
  // about to be replaced.
  if (!is_fresh(mark_in(folder), now_in(folder)) || (first && tells_of_nobody(*first)))
    return false;
  if (waiting.say)
    waiting.say(
        fmt::format("'{}' was written a moment ago{}: waiting up to {:.0f} s to see whether "
                    "a tempo on another machine is at work there",
                    mark_in(folder).string(), first ? " on " + first->host : "", kLong.count()));
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < kLong) {
    if (waiting.is_stopped()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const auto now = read_mark(folder);
    if (!now) continue;  // it is being written
    if (tells_of_nobody(*now)) return false;
    if (!first) first = now;
    if (now->process != first->process || now->seconds != first->seconds) return true;
  }
  return false;
}

}  // namespace tempo
