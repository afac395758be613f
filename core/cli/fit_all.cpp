#include "cli/fit_all.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <thread>
#include <vector>

#include "cli/interrupt.hpp"
#include "run/progress.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {

bool fit_all(std::size_t count, std::size_t jobs, const std::function<bool(std::size_t)>& fit) {
  const auto& stop_asked = stop_on_interrupt();
  std::atomic<std::size_t> next = 0, done = 0, failed = 0, running = std::min(jobs, count);
  std::vector<std::jthread> threads;
  for (std::size_t t = std::min(jobs, count); t > 0; --t)
    threads.emplace_back([&] {
      try {
        for (std::size_t i; !stop_asked && (i = next++) < count; ++done)
          if (fit(i)) ++failed;
      } catch (const Stopped&) {  // that fit is not done
      }
      --running;
    });
  Progress progress(std::cerr, isatty(STDERR_FILENO) != 0, "fits");
  bool said_stopping = false;
  while (running > 0) {
    if (stop_asked && !said_stopping) {
      progress.finish();
      std::cerr << kStopping;
      said_stopping = true;
    }
    progress.show({.done = done, .failed = failed, .total = count});
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  progress.finish();
  return done < count;
}

}  // namespace tempo::cli
