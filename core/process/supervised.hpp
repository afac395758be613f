#pragma once

#include <poll.h>
#include <sys/types.h>

#include <array>
#include <string>
#include <utility>

#include "process/program.hpp"

namespace tempo::process {

/// A descriptor that is closed with the object.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  ~Descriptor() { close(); }
  int get() const { return number_; }
  void close();

 private:
  int number_ = -1;
};

/// The end of what a pipe gives: whoever writes without end fills no memory.
class Tail {
 public:
  Tail(Descriptor pipe, std::size_t kept);
  pollfd waited() const { return {pipe_.get(), POLLIN, 0}; }
  /// Takes what is there now.
  void read();
  std::string take();
  bool is_cut() const { return is_cut_; }

 private:
  void keep_end(std::size_t most);

  Descriptor pipe_;
  std::size_t kept_;
  std::string text_;
  bool is_cut_ = false;
};

/// A program and the process that watches it.
class Supervised {
 public:
  /// @param talks  whether its standard input is a pipe; else it is empty
  /// @throws Error if the system gives no process or pipe
  Supervised(const Call& call, const Limits& limits, bool talks);
  /// Kills the program if nobody has waited for its end.
  ~Supervised();
  Supervised(const Supervised&) = delete;
  Supervised& operator=(const Supervised&) = delete;

  /// Readable once the program has ended.
  int report() const { return report_.get(); }
  Descriptor& input() { return input_; }    ///< where the program reads, if it talks
  Descriptor& output() { return output_; }  ///< what the program writes
  Descriptor& errors() { return errors_; }

  /// Asks the supervisor to end the program.
  void stop();
  /// Waits for the report. @throws Error if there is none, as the supervisor was killed
  End end();

 private:
  void reap();

  Descriptor told_, report_, input_, output_, errors_;
  pid_t supervisor_ = -1;
};

}  // namespace tempo::process
