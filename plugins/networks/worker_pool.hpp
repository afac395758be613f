#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tempo::amortised {

/// Threads that share out pieces of work, the caller among them.
class WorkerPool {
 public:
  /// @param threads how many work, the caller included.
  /// @param start what each further thread does first.
  explicit WorkerPool(std::size_t threads, std::function<void()> start = {});
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Calls `work(i)` for i = 0..count-1, in no particular order, and returns when all are done.
  /// What any of them throws is thrown here once the others have ended.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& work);

 private:
  void help(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t next_ = 0, count_ = 0, unfinished_ = 0;
  std::exception_ptr failure_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tempo::amortised
