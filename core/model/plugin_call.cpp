#include "tempo/plugin_call.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <utility>

namespace tempo {
namespace {

thread_local const PluginCall* innermost = nullptr;

constexpr std::array<std::pair<int, std::string_view>, 5> kCrashes{{{SIGSEGV, "SIGSEGV"},
                                                                    {SIGBUS, "SIGBUS"},
                                                                    {SIGFPE, "SIGFPE"},
                                                                    {SIGILL, "SIGILL"},
                                                                    {SIGABRT, "SIGABRT"}}};

/// What a signal handler may do: neither allocates nor locks.
void write_to_errors(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

void tell_of_crash(int signal) noexcept {
  if (const auto* call = innermost) {
    write_to_errors("plugin ");
    write_to_errors(call->plugin_);
    write_to_errors(", while ");
    write_to_errors(call->doing_);
    write_to_errors(": crashed (");
    for (const auto& [number, name] : kCrashes)
      if (number == signal) write_to_errors(name);
    write_to_errors(
        "); a file that is damaged or was copied in part is built or copied again, a fault of the "
        "plugin is its author's to mend\n");
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // the shell and debuggers see what it was
}

PluginCall::PluginCall(std::string_view plugin, std::string_view doing) noexcept
    : plugin_(plugin), doing_(doing), outer_(std::exchange(innermost, this)) {}

PluginCall::~PluginCall() { innermost = outer_; }

void PluginCall::tell_of_crashes() {
  for (const auto& [number, name] : kCrashes)
    std::signal(number, [](int signal) { tell_of_crash(signal); });
}

}  // namespace tempo
