#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "run/run_folder.hpp"
#include "run/run_mark.hpp"

namespace tempo::cli {

/// Says on standard error why it waits for another process.
Waiting waiting_aloud(const std::atomic<bool>* stop = nullptr);

/// Keeps the mark of a run folder true while a run is at work there, and sees to it that SIGTERM
/// ends the process within five seconds: a fit that does not end by then is given up. What was
/// stored stays.
class RunWatch {
 public:
  /// @param folder  outlives this object
  RunWatch(const RunFolder& folder, const RunMark& mark);
  /// The run broke off, unless finish() was called.
  ~RunWatch();
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;

  /// Notes how the run ended.
  void finish(int code);

 private:
  using Clock = std::chrono::steady_clock;
  void watch();
  void write(RunMark::State state, int code);
  [[noreturn]] void give_up();

  const RunFolder& folder_;
  RunMark mark_;
  const Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace tempo::cli
