// The look at a plugin's file before the dynamic linker gets it.

#include "library_file.hpp"

#include "target.hpp"

namespace tempo::fuzz {
namespace {

void read_library_input(std::string_view bytes) {
  check_library_file(scratch_file("plugin.so", bytes));
}

const Added kLibraryTarget("library_file", read_library_input);

}  // namespace
}  // namespace tempo::fuzz
