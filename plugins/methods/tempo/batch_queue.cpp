#include "batch_queue.hpp"

#include <system_error>
#include <utility>

namespace tempo::amortised {

BatchQueue::BatchQueue(std::size_t count, std::size_t threads,
                       std::function<Samples(std::size_t)> make)
    : make_(std::move(make)), count_(count), ahead_(2 * threads) {
  try {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    if (threads_.empty()) throw;  // else those that there are do all
  }
}

BatchQueue::~BatchQueue() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  room_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void BatchQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    room_.wait(lock, [&] { return closing_ || begun_ == count_ || begun_ < taken_ + ahead_; });
    if (closing_ || begun_ == count_) return;
    const auto number = begun_++;
    lock.unlock();
    Made made;
    try {
      made.samples = make_(number);
    } catch (...) {
      made.failure = std::current_exception();
    }
    lock.lock();
    made_.emplace(number, std::move(made));
    ready_.notify_all();
  }
}

Samples BatchQueue::next() {
  std::unique_lock lock(mutex_);
  ready_.wait(lock, [&] { return made_.contains(taken_); });
  auto made = std::move(made_.extract(taken_++).mapped());
  room_.notify_all();
  if (made.failure) std::rethrow_exception(made.failure);
  return std::move(made.samples);
}

}  // namespace tempo::amortised
