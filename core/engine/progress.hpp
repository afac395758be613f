#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>

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
  };

  /// @param what what is counted: `fits`.
  /// @param now the time; tests have their own.
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

/// `45 s`, `12 min`, `3 h 20 min`: as a person would say it.
std::string in_words(std::chrono::duration<double> time);

}  // namespace tempo
