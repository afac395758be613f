#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "samples.hpp"

namespace tempo::amortised {

/// Makes batches 0, 1, ... on threads of its own, a few ahead of the one that takes them in order.
class BatchQueue {
 public:
  /// @param make thread-safe
  BatchQueue(std::size_t count, std::size_t threads, std::function<Samples(std::size_t)> make);
  ~BatchQueue();
  BatchQueue(const BatchQueue&) = delete;
  BatchQueue& operator=(const BatchQueue&) = delete;

  /// The next batch; waits for it. What `make` threw for it is thrown here.
  Samples next();

 private:
  struct Made {
    Samples samples;
    std::exception_ptr failure;
  };
  void work();

  std::function<Samples(std::size_t)> make_;
  std::size_t count_, ahead_, begun_ = 0, taken_ = 0;
  std::map<std::size_t, Made> made_;
  bool closing_ = false;
  std::mutex mutex_;
  std::condition_variable room_, ready_;
  std::vector<std::thread> threads_;
};

}  // namespace tempo::amortised
