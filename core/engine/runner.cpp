#include "engine/runner.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "engine/cohort_source.hpp"
#include "engine/fit.hpp"

namespace tempo {
namespace {

using Finished = std::vector<std::pair<const PlannedFit*, FitRecord>>;

/// Worker threads take positions off a list and leave results in a box.
class Workers {
 public:
  Workers(const Study& study, const Plan& plan, std::vector<std::size_t> positions,
          const RunOptions& options)
      : study_(study),
        plan_(plan),
        positions_(std::move(positions)),
        options_(options),
        source_(study, plan, options.jobs) {
    const auto count = std::min(std::max<std::size_t>(1, options.jobs), positions_.size());
    running_ = count;
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
  }

  ~Workers() {
    stopped_ = true;
    for (auto& thread : threads_) thread.join();
  }

  /// Waits for results, a tenth of a second at most. Empty and `done()` when all is over.
  Finished take() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(100),
                      [&] { return !finished_.empty() || running_ == 0; });
    return std::exchange(finished_, {});
  }

  bool done() {
    const std::lock_guard lock(mutex_);
    return running_ == 0 && finished_.empty();
  }

  bool asked_to_stop() const { return options_.stop != nullptr && *options_.stop; }

 private:
  void work() {
    while (!stopped_ && !asked_to_stop()) {
      const auto i = next_++;
      if (i >= positions_.size()) break;
      auto record = fit(positions_[i]);
      if (options_.fail_fast && record.status == ResultRow::Status::failed) stopped_ = true;
      const std::lock_guard lock(mutex_);
      finished_.emplace_back(&plan_.fits[positions_[i]], std::move(record));
      changed_.notify_one();
    }
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_one();
  }

  FitRecord fit(std::size_t position) {
    const auto& task = plan_.tasks[position];
    const auto& experiment = study_.points[task.point];
    const auto& hypothesis = experiment.hypotheses[task.hypothesis];
    try {
      const auto cohort = source_.get(task);
      return fit_and_score(*plan_.objects[task.point].methods[task.method],
                           experiment.methods[task.method], *cohort, experiment, hypothesis.id,
                           hypothesis.cohorts[task.cohort]);
    } catch (const std::exception& error) {
      return failed_fit(error.what(), 0.0);
    }
  }

  const Study& study_;
  const Plan& plan_;
  const std::vector<std::size_t> positions_;
  const RunOptions& options_;
  CohortSource source_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  Finished finished_;
  std::size_t running_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace

Outstanding outstanding(const Plan& plan, const Shard& shard, Store& store) {
  const auto statuses = store.statuses();
  Outstanding out;
  std::set<std::string> keys;
  for (std::size_t position = 0; position < plan.fits.size(); ++position) {
    if (!shard.has(position)) continue;
    const auto& key = plan.fits[position].key;
    const auto known = statuses.find(key);
    if (known != statuses.end() && known->second == ResultRow::Status::ok)
      ++out.cached;
    else if (keys.insert(key).second)
      out.positions.push_back(position);
    else
      ++out.shared;
  }
  return out;
}

RunCounts run_plan(const Study& study, const Plan& plan, Store& store, const RunOptions& options,
                   const std::function<void(const RunCounts&, const Finished&)>& report) {
  auto to_do = outstanding(plan, options.shard, store);
  RunCounts counts;
  counts.cached = to_do.cached;
  counts.shared = to_do.shared;
  counts.to_do = to_do.positions.size();
  Workers workers(study, plan, std::move(to_do.positions), options);
  while (!workers.done()) {
    const auto finished = workers.take();
    if (!finished.empty()) store.add(finished);
    for (const auto& [fit, record] : finished)
      ++(record.status == ResultRow::Status::ok ? counts.ok : counts.failed);
    report(counts, finished);
  }
  counts.interrupted = workers.asked_to_stop() && counts.ok + counts.failed < counts.to_do;
  return counts;
}

}  // namespace tempo
