#include "conformance/measured.hpp"

#include <malloc.h>

#include <algorithm>
#include <ctime>

namespace tempo::conformance {
namespace {

/// Of the heap, in use by the whole process.
std::size_t bytes_in_use() {
  const auto heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

}  // namespace

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::size_t bytes_left_behind(const std::function<void()>& work) {
  const auto once = [&] {
    const auto before = bytes_in_use();
    work();
    const auto after = bytes_in_use();
    return after > before ? after - before : 0;
  };
  return std::min(once(), once());
}

}  // namespace tempo::conformance
