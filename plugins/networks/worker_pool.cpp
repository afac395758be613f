#include "worker_pool.hpp"

#include <system_error>

namespace tempo::amortised {

WorkerPool::WorkerPool(std::size_t threads, std::function<void()> start) {
  const auto work = [this, start] {
    if (start) start();
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return closing_ || next_ < count_; });
      if (closing_) return;
      help(lock);
    }
  };
  try {
    for (std::size_t i = 1; i < threads; ++i) threads_.emplace_back(work);
  } catch (const std::system_error&) {  // the machine gives no more: those that there are do all
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void WorkerPool::help(std::unique_lock<std::mutex>& lock) {
  while (next_ < count_) {
    const auto item = next_++;
    lock.unlock();
    std::exception_ptr failure;
    try {
      (*work_)(item);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !failure_) failure_ = failure;
    if (--unfinished_ == 0) done_.notify_all();
  }
}

void WorkerPool::for_each(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  next_ = 0;
  count_ = unfinished_ = count;
  failure_ = nullptr;
  wake_.notify_all();
  help(lock);
  done_.wait(lock, [&] { return unfinished_ == 0; });
  count_ = next_ = 0;
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace tempo::amortised
