#pragma once

#include <cstddef>

namespace tempo::conformance {

/// Of the processor, in this thread: what other programs do counts little.
double processor_seconds();

/// Of the heap, in use by the whole process.
std::size_t bytes_in_use();

}  // namespace tempo::conformance
