#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "process/program.hpp"

namespace tempo::process {

/// What a program said when it was asked.
struct Reply {
  enum class What {
    line,      ///< a line
    too_long,  ///< more than a line may have
    nothing,   ///< it has ended, or a limit has ended it
  };
  What what = What::nothing;
  std::string line = {};  ///< without the line break
};

/// A program that reads lines and answers each with one. It may take Limits::seconds for each, and
/// lives until the object is destroyed.
class Conversation {
 public:
  /// @throws Error if the system gives no process or pipe
  Conversation(const Call& call, const Limits& limits);
  /// Closes the program's input, and kills it if it has not ended a second later.
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  /// Sends a line and waits for one. After any other reply than a line the program is of no more
  /// use.
  /// @param most     characters of the answer
  /// @param seconds  that it may take for this one in place of Limits::seconds
  Reply ask(std::string_view line, std::size_t most, const std::atomic<bool>* stop = nullptr,
            std::optional<double> seconds = {});
  /// The end of what it wrote to standard error since it was last asked, or last asked for this.
  std::string words();
  /// How the program ended; one that still runs is ended. To be called once.
  End end();

 private:
  struct Talk;
  std::unique_ptr<Talk> talk_;
};

}  // namespace tempo::process
