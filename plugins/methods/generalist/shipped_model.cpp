// The file of weights as a part of the plugin, which then needs no path to find it.

#include <sstream>
#include <string_view>

#include "generalist_model.hpp"

// Of the GNU assembler, for ELF: a C++ array of as many bytes takes a compiler minutes.
__asm__(
    ".pushsection .rodata\n"
    ".balign 16\n"
    ".local tempo_generalist_begin\n"
    "tempo_generalist_begin:\n"
    ".incbin \"" TEMPO_GENERALIST_FILE
    "\"\n"
    ".local tempo_generalist_end\n"
    "tempo_generalist_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
[[gnu::visibility("hidden")]] extern const char tempo_generalist_begin[], tempo_generalist_end[];
}

namespace tempo::amortised {

const GeneralistModel& shipped_model() {
  static const GeneralistModel model = [] {
    const std::string_view bytes(
        tempo_generalist_begin,
        static_cast<std::size_t>(tempo_generalist_end - tempo_generalist_begin));
    std::istringstream file{std::string(bytes)};
    return read_generalist(file, bytes.size());
  }();
  return model;
}

}  // namespace tempo::amortised
