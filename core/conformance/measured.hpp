#pragma once

#include <cstddef>
#include <functional>

namespace tempo::conformance {

/// Of the processor, in this thread: what other programs do counts little.
double processor_seconds();

/// How much more of the heap is in use after some work, the less of two times: what is kept once,
/// by the plugin or by the allocator, is no leak.
std::size_t bytes_left_behind(const std::function<void()>& work);

}  // namespace tempo::conformance
