#include "process/program.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <sstream>
#include <utility>

#include "process/supervised.hpp"
#include "tempo/error.hpp"

namespace tempo::process {

End run(const Call& call, const Limits& limits, const std::atomic<bool>* stop) {
  constexpr int kLookForStop = 100;  // milliseconds between looks
  Supervised program(call, limits, false);
  Tail output(std::move(program.output()), limits.kept);
  Tail errors(std::move(program.errors()), limits.kept);
  bool is_stopped = false;
  for (bool has_ended = false; !has_ended;) {
    if (stop != nullptr && *stop && !std::exchange(is_stopped, true)) program.say(Word::stop);
    std::array<pollfd, 3> waited{{{program.report(), POLLIN, 0}, output.waited(), errors.waited()}};
    const bool looks = stop != nullptr && !is_stopped;
    if (::poll(waited.data(), waited.size(), looks ? kLookForStop : -1) < 0 && errno != EINTR)
      throw Error(fmt::format("cannot wait for a program: {}", std::strerror(errno)));
    output.read();
    errors.read();
    has_ended = waited[0].revents != 0;
  }
  auto out = program.end();
  out.output = output.take();
  out.errors = errors.take();
  out.output_is_cut = output.is_cut();
  out.errors_are_cut = errors.is_cut();
  return out;
}

std::string in_words(const End& end, const Limits& limits) {
  switch (end.outcome) {
    case Outcome::exited:
      return fmt::format("ended with status {}", end.code);
    case Outcome::crashed:
      if (end.code == SIGXFSZ)
        return fmt::format("wrote a file of more than {} MiB", limits.file >> 20U);
      return fmt::format("crashed (signal {}, {})", end.code, ::strsignal(end.code));
    case Outcome::timed_out:
      return fmt::format("took more than {} s", limits.seconds);
    case Outcome::out_of_memory:
      return fmt::format("held more than {} MiB of memory", limits.memory >> 20U);
    case Outcome::too_many_processes:
      return fmt::format("started more than {} processes", limits.processes);
    case Outcome::not_started:
      return fmt::format("cannot be started: {}", std::strerror(end.code));
    case Outcome::interrupted:
      return "was stopped";
  }
  return "unknown";
}

std::string last_words(const std::string& text) {
  constexpr std::size_t kLines = 3, kMost = 500;
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.find_first_not_of(" \t") != std::string::npos) lines.push_back(std::move(line));
  }
  const auto first = lines.size() - std::min(kLines, lines.size());
  auto out = fmt::format(
      "{}",
      fmt::join(std::next(lines.begin(), static_cast<std::ptrdiff_t>(first)), lines.end(), " | "));
  if (out.size() > kMost) out = "..." + out.substr(out.size() - kMost);
  return out;
}

}  // namespace tempo::process
