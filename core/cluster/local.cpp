#include "cluster/local.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <thread>

#include "process/program.hpp"
#include "process/shell.hpp"
#include "run/progress.hpp"

namespace tempo {
namespace {

/// The commands of a task, one after the other.
struct LocalTask {
  std::string name;
  std::vector<Shard> shards;
};

std::vector<LocalTask> local_tasks(const Launch& launch) {
  std::vector<LocalTask> out;
  const auto& [launcher, models, tasks, jobs] = launch.submission;
  for (const auto index : launch.models)
    out.push_back(
        {fmt::format("model-{}", index),
         {{index, models, Shard::What::trainings}, {index, models, Shard::What::applied}}});
  for (const auto index : launch.fits)
    out.push_back({fmt::format("fits-{}", index), {{index, tasks, Shard::What::fits}}});
  return out;
}

/// Whoever limits a task is its scheduler, and here there is none.
process::Limits no_limits() {
  process::Limits limits;
  limits.seconds = 1e9;
  limits.memory = std::numeric_limits<std::int64_t>::max();
  limits.processes = 1 << 20;
  limits.file = std::numeric_limits<std::int64_t>::max();
  limits.stop_grace = process::kGrace + 1.0;
  return limits;
}

class LocalRun {
 public:
  LocalRun(const Launch& launch, const std::atomic<bool>& stop,
           const std::function<void(const std::string&)>& tell)
      : launch_(launch), tasks_(local_tasks(launch)), stop_(stop), tell_(tell) {}

  LocalCounts run(std::size_t at_a_time) {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min(at_a_time, tasks_.size()); ++i)
      threads.emplace_back([this] { work(); });
    threads.clear();  // joins them
    counts_.interrupted = stop_;
    return counts_;
  }

 private:
  void work() {
    while (!stop_) {
      const auto next = next_++;
      if (next >= tasks_.size()) return;
      const auto& task = tasks_[next];
      process::End end;
      for (const auto& shard : task.shards) {
        end = make(shard, task.name);
        // Of a training that failed, the fits are stored as failed, with its reason.
        const bool has_failed = end.outcome == process::Outcome::exited && end.code == 1;
        if (!process::is_success(end) && !has_failed) break;
      }
      note(task, end);
    }
  }

  process::End make(const Shard& shard, const std::string& name) const {
    const auto log = (launch_.folder.logs() / (name + ".log")).string();
    const auto line = fmt::format("exec {} >>{} 2>&1", as_line(command_of(launch_, shard)),
                                  process::as_argument(log));
    try {
      return process::run({.command = {"/bin/sh", "-c", line}}, no_limits(), &stop_);
    } catch (const std::exception& error) {  // whoever watched the task was killed with it
      process::End lost;
      lost.outcome = process::Outcome::crashed;
      return lost;
    }
  }

  void note(const LocalTask& task, const process::End& end) {
    const std::lock_guard lock(mutex_);
    ++ended_;
    const bool is_killed = end.outcome != process::Outcome::exited;
    ++(process::is_success(end) ? counts_.done : is_killed ? counts_.killed : counts_.failed);
    tell_(fmt::format("{} ({} of {}): {} after {}", task.name, ended_, tasks_.size(),
                      process::is_success(end) ? "done" : process::in_words(end, no_limits()),
                      in_words(std::chrono::duration<double>(end.seconds))));
  }

  const Launch& launch_;
  const std::vector<LocalTask> tasks_;
  const std::atomic<bool>& stop_;
  const std::function<void(const std::string&)>& tell_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::size_t ended_ = 0;
  LocalCounts counts_;
};

}  // namespace

LocalCounts run_locally(const Launch& launch, std::size_t at_a_time, const std::atomic<bool>& stop,
                        const std::function<void(const std::string&)>& tell) {
  return LocalRun(launch, stop, tell).run(at_a_time);
}

}  // namespace tempo
