#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>

#include "tempo/trainable_method.hpp"

namespace tempo {

/// Shows how far long work has come: a bar that is redrawn on a terminal, otherwise a line every
/// ten seconds. Used from one thread.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  struct Count {
    std::size_t done = 0;
    std::size_t failed = 0;  ///< of `done`
    std::size_t total = 0;
    std::optional<double> seconds_left = {};  ///< absent: as many at a time as up to now
  };

  /// @param what  is counted: `fits`
  /// @param now   tells the time; tests have their own
  Progress(std::ostream& out, bool terminal, std::string what,
           std::function<Clock::time_point()> now = Clock::now);
  void show(const Count& count);
  /// Removes the bar.
  void finish();

 private:
  std::string line(const Count& count) const;

  std::ostream& out_;
  bool terminal_;
  std::string what_;
  std::function<Clock::time_point()> now_;
  Clock::time_point start_ = now_();
  Clock::time_point last_shown_ = start_;
  bool bar_is_open_ = false;
};

/// Shows how far a training has come, in the same way, and hands on the wish to stop. A training
/// that goes on after an interruption is timed from there on.
class TrainingProgress final : public TrainingMonitor {
 public:
  using Clock = std::chrono::steady_clock;

  /// @param what is trained: METHOD on HYPOTHESIS
  /// @param stop set by a signal
  TrainingProgress(std::ostream& out, bool terminal, std::string what,
                   const std::atomic<bool>& stop,
                   std::function<Clock::time_point()> now = Clock::now);
  void step(const TrainingStep& step) override;
  void epoch(const TrainingEpoch& epoch) override;
  /// Tells the user when it is true for the first time.
  bool stop_asked() const override;
  /// Removes the bar.
  void finish() const;
  const TrainingEpoch& last_epoch() const { return epoch_; }

 private:
  void show();
  double share_done() const;
  std::string line() const;

  std::ostream& out_;
  bool terminal_;
  std::string what_;
  const std::atomic<bool>& stop_;
  std::function<Clock::time_point()> now_;
  Clock::time_point last_shown_ = now_();
  TrainingStep step_;
  TrainingEpoch epoch_{.epoch = 0, .epochs = 1, .numbers = {}};
  std::optional<std::pair<Clock::time_point, double>> start_;  // of this session: when, share done
  mutable bool bar_is_open_ = false;
  mutable bool said_stopping_ = false;
};

/// The numbers of an epoch, as epoch_in_words has them.
std::string in_words(const TrainingEpoch& epoch);

/// By the clock.
double seconds_since(std::chrono::steady_clock::time_point begin);

/// A duration as people say it: `45 s`, `12 min`, `3 h 20 min`.
std::string in_words(std::chrono::duration<double> time);

}  // namespace tempo
