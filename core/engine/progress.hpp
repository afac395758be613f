#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>

namespace tempo {

/// Shows how far long work has come: a bar that is redrawn on a terminal, otherwise a line every
/// ten seconds. Used from one thread.
class Progress {
 public:
  /// @param what what is counted: `fits`.
  Progress(std::ostream& out, bool terminal, std::string what, std::size_t total);
  /// @param failed of `done`.
  void show(std::size_t done, std::size_t failed);
  /// Removes the bar.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  std::string line(std::size_t done, std::size_t failed) const;

  std::ostream& out_;
  bool terminal_;
  std::string what_;
  std::size_t total_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_shown_ = start_;
  bool bar_is_open_ = false;
};

/// `45 s`, `12 min`, `3 h 20 min`: as a person would say it.
std::string in_words(std::chrono::duration<double> time);

}  // namespace tempo
