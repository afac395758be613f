#include "run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "run/cohort_source.hpp"
#include "run/fit_maker.hpp"
#include "run/truths.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

using Clock = std::chrono::steady_clock;

/// Worker threads take positions off a list and leave results in a box.
class Workers {
 public:
  Workers(const Study& study, const Plan& plan, Models& models, std::vector<std::size_t> positions,
          const RunOptions& options, Truths& truths)
      : study_(study),
        plan_(plan),
        models_(models),
        positions_(std::move(positions)),
        options_(options),
        truths_(truths),
        fits_(study, plan, models, options.jobs) {
    const auto count = std::min(std::max<std::size_t>(1, options.jobs), positions_.size());
    threads_.reserve(count);
    while (threads_.size() < count && start_one()) {
    }
  }

  ~Workers() {
    stopped_ = true;
    for (auto& thread : threads_) thread.join();
  }

  /// Waits for results, a tenth of a second at most. At the end it is empty, and `done()` is true.
  FinishedFits take() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(100),
                      [&] { return !finished_.empty() || running_ == 0; });
    return std::exchange(finished_, {});
  }

  bool done() {
    const std::lock_guard lock(mutex_);
    return running_ == 0 && finished_.empty();
  }

  std::vector<FitInFlight> in_flight() {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    std::vector<FitInFlight> out;
    for (const auto& [position, begin] : in_flight_)
      out.push_back({&plan_.fits[position], std::chrono::duration<double>(now - begin).count()});
    return out;
  }

  bool asked_to_stop() const { return options_.stop != nullptr && *options_.stop; }

 private:
  /// False if the machine gives no more threads: those that run do the work.
  /// @throws Error if it gives none at all
  bool start_one() {
    {
      const std::lock_guard lock(mutex_);
      ++running_;
    }
    try {
      threads_.emplace_back([this] { work(); });
      return true;
    } catch (const std::system_error& error) {
      if (threads_.empty()) throw Error(fmt::format("cannot start a thread: {}", error.what()));
      const std::lock_guard lock(mutex_);
      --running_;
      return false;
    }
  }

  void work() {
    IsolatedFits isolated(options_.isolation.server, options_.stop);
    while (!stopped_ && !asked_to_stop()) {
      const auto i = next_++;
      if (i >= positions_.size()) break;
      const auto position = positions_[i];
      begin(position);
      const auto& fit = plan_.fits[position];
      const bool with_truth = truths_.asks(fit);
      auto record = is_isolated(position)
                        ? isolated.make(position, fit, limits_of(position), with_truth)
                        : fits_.make(position, with_truth);
      if (with_truth) truths_.take_from(record, fit);
      end(position, std::move(record));
    }
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_one();
  }

  void begin(std::size_t position) {
    const std::lock_guard lock(mutex_);
    in_flight_.emplace(position, Clock::now());
  }

  void end(std::size_t position, FitRecord record) {
    const std::lock_guard lock(mutex_);
    in_flight_.erase(position);
    const auto status = record.result.status;
    if (status == FitStatus::pending) return;  // it gave up: tempo stops
    if (options_.fail_fast && is_failure(status)) stopped_ = true;
    finished_.emplace_back(&plan_.fits[position], std::move(record));
    changed_.notify_one();
  }

  /// A fit without its model only says why there is none.
  bool is_isolated(std::size_t position) const {
    const auto& training = plan_.tasks[position].training;
    return options_.isolation.has(position) && (!training || models_.has(*training));
  }

  const FitLimits& limits_of(std::size_t position) const {
    const auto& task = plan_.tasks[position];
    return study_.points[task.point].methods[task.method].limits;
  }

  const Study& study_;
  const Plan& plan_;
  const Models& models_;
  const std::vector<std::size_t> positions_;
  const RunOptions& options_;
  Truths& truths_;
  FitMaker fits_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  FinishedFits finished_;
  std::map<std::size_t, Clock::time_point> in_flight_;  // by position in the plan
  std::size_t running_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace

std::vector<Fate> fates(const Plan& plan, const Shard& shard,
                        const std::map<std::string, FitStatus>& statuses) {
  std::vector<Fate> out;
  out.reserve(plan.fits.size());
  std::set<std::string> keys;
  const auto is_ours = shard.fits_of(plan);
  for (std::size_t position = 0; position < plan.fits.size(); ++position) {
    const auto& key = plan.fits[position].key;
    const auto known = statuses.find(key);
    if (!is_ours[position])
      out.push_back(Fate::of_other_shard);
    else if (known != statuses.end() && known->second == FitStatus::ok)
      out.push_back(Fate::cached);
    else
      out.push_back(keys.insert(key).second ? Fate::to_do : Fate::shared);
  }
  return out;
}

std::vector<Fate> fates_of_run(const Plan& plan, const RunOptions& options,
                               std::map<std::string, FitStatus> statuses) {
  for (const auto& key : options.again) statuses.erase(key);
  return fates(plan, options.shard, statuses);
}

RunCounts run_plan(const Study& study, const Plan& plan, Models& models, Store& store,
                   const RunOptions& options, const std::function<void(const RunState&)>& report) {
  const auto all = fates_of_run(plan, options, store.statuses());
  std::vector<std::size_t> to_do;
  for (std::size_t position = 0; position < all.size(); ++position)
    if (all[position] == Fate::to_do) to_do.push_back(position);
  // Fits that are bound to fail come first: with --fail-fast no work is done in vain.
  std::stable_partition(to_do.begin(), to_do.end(), [&](std::size_t position) {
    const auto& training = plan.tasks[position].training;
    return training && !models.has(*training);
  });
  RunCounts counts;
  counts.cached = static_cast<std::size_t>(std::count(all.begin(), all.end(), Fate::cached));
  counts.shared = static_cast<std::size_t>(std::count(all.begin(), all.end(), Fate::shared));
  counts.to_do = to_do.size();
  Truths truths(store.known_truths());
  Workers workers(study, plan, models, std::move(to_do), options, truths);
  while (!workers.done()) {
    const auto finished = workers.take();
    // Truths first: a fit that is stored is not made again, and would not bring its truth then.
    if (const auto found = truths.take(); !found.empty()) store.add_truths(found);
    if (!finished.empty()) store.add(finished);
    for (const auto& [fit, record] : finished)
      ++(record.result.status == FitStatus::ok ? counts.ok : counts.failed);
    report({counts, finished, workers.in_flight()});
  }
  counts.interrupted = workers.asked_to_stop() && counts.ok + counts.failed < counts.to_do;
  return counts;
}

void keep_missing_truths(const Study& study, const Plan& plan, const RunOptions& options,
                         Store& store) {
  Truths truths(store.known_truths());
  CohortSource source(study, plan, /*keep=*/1);
  const auto is_ours = options.shard.fits_of(plan);
  std::size_t made = 0;
  for (std::size_t position = 0; position < plan.fits.size(); ++position) {
    const auto& fit = plan.fits[position];
    if (options.stop != nullptr && *options.stop) break;
    if (options.isolation.has(position) || !is_ours[position] || !truths.asks(fit)) continue;
    FitRecord record;
    try {
      record.truth = stored_truth(fit.cohort_key, *source.get(plan.tasks[position]));
    } catch (const std::exception&) {
      continue;
    }
    truths.take_from(record, fit);
    constexpr std::size_t kAtOnce = 256;
    if (++made % kAtOnce == 0) store.add_truths(truths.take());
  }
  store.add_truths(truths.take());
}

}  // namespace tempo
