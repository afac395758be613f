#include "cli/run_watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <exception>
#include <iostream>
#include <optional>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "model/printable.hpp"
#include "run/progress.hpp"

namespace tempo::cli {
namespace {

using namespace std::chrono_literals;

/// Writes what may be left out, on a full disk, say: whoever stores results complains of it.
template <class Write>
void if_possible(Write&& write) {
  try {
    write();
  } catch (const std::exception&) {
  }
}

}  // namespace

Waiting waiting_aloud(const std::atomic<bool>* stop) {
  return {[](const std::string& line) { std::cerr << printable(line, "") << "\n"
                                                  << std::flush; },
          stop};
}

RunWatch::RunWatch(const RunFolder& folder, const RunMark& mark) : folder_(folder), mark_(mark) {
  bear_repeated_terminations();
  write(RunMark::State::running, 0);
  thread_ = std::thread([this] { watch(); });
}

RunWatch::~RunWatch() {
  if (thread_.joinable()) try {
      finish(kFailed);
    } catch (const std::exception&) {  // what broke off the run is told already
    }
}

void RunWatch::finish(int code) {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    changed_.notify_one();
  }
  thread_.join();
  write(code == kInterrupted ? RunMark::State::stopped : RunMark::State::ended, code);
}

void RunWatch::watch() {
  std::optional<Clock::time_point> told;
  auto marked = begin_;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, 100ms, [&] { return is_over_; })) {
    const auto now = Clock::now();
    if (is_terminated() && !told) {
      told = now;
      if_possible([&] { folder_.log("SIGTERM: stopping"); });
    }
    if (told && now - *told > std::chrono::seconds(kSecondsToStop)) give_up();
    if (std::chrono::duration<double>(now - marked).count() < kMarkEvery) continue;
    marked = now;
    if_possible([&] { write(RunMark::State::running, 0); });
  }
}

void RunWatch::write(RunMark::State state, int code) {
  const std::chrono::duration<double> seconds = Clock::now() - begin_;
  mark_ = updated(mark_, seconds.count());
  mark_.state = state;
  if (state == RunMark::State::ended) mark_.host.clear();  // of no use any more
  mark_.code = code;
  folder_.write(mark_in({}).string(), to_text(mark_));
}

void RunWatch::give_up() {
  try {
    const auto elapsed = in_words(Clock::now() - begin_);
    folder_.log(fmt::format(
        "end: interrupted by SIGTERM after {}; fits in flight were given up, what was done is kept",
        elapsed));
    write(RunMark::State::stopped, kInterrupted);
    std::cerr << kDidNotStop << std::flush;
  } catch (const std::exception&) {  // there is no time to make up for it
  }
  ::_exit(kInterrupted);  // threads are at work in plugins still
}

}  // namespace tempo::cli
