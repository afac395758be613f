// The look at a plugin's file before the dynamic linker gets it.

#include "library_file.hpp"

#include <elf.h>

#include <cstring>

#include "target.hpp"

namespace tempo::fuzz {
namespace {

void read_library_input(std::string_view bytes) {
  check_library_file(scratch_file("plugin.so", bytes));
  // The dynamic linker maps what is said here, and does not ask whether the file has it.
  const auto has = [&](std::uint64_t begin, std::uint64_t count) {
    return begin <= bytes.size() && count <= bytes.size() - begin;
  };
  Elf64_Ehdr header{};
  expect(has(0, sizeof header), "a library that is accepted has a header");
  std::memcpy(&header, bytes.data(), sizeof header);
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    expect(has(header.e_phoff, (i + 1) * sizeof segment), "its table of segments is inside");
    std::memcpy(&segment, bytes.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    expect(has(segment.p_offset, segment.p_filesz), "each of its segments is inside");
  }
}

const Added kLibraryTarget("library_file", read_library_input);

}  // namespace
}  // namespace tempo::fuzz
