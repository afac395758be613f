// The entry point that libFuzzer calls, of a program with one target.

#include <cstddef>
#include <cstdint>

#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tempo::fuzz::read(tempo::fuzz::targets().front(), {reinterpret_cast<const char*>(data), size});
  return 0;
}
