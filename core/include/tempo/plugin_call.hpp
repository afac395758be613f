#pragma once

#include <string_view>

#include "tempo/export.hpp"

namespace tempo {

/// As long as it lives, its thread is inside a plugin, and a crash is that plugin's. Calls may be
/// nested: the innermost is blamed.
class TEMPO_API PluginCall {
 public:
  /// @param plugin  its id, or its file while that is loaded
  /// @param doing   what it does, as `fitting`; both texts have to outlive the object
  PluginCall(std::string_view plugin, std::string_view doing) noexcept;
  ~PluginCall();
  PluginCall(const PluginCall&) = delete;
  PluginCall& operator=(const PluginCall&) = delete;

  /// From now on a crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) inside a plugin is told on
  /// standard error, `plugin ID, while DOING: crashed (SIGSEGV)`, before the process dies of it. A
  /// program calls it once.
  static void tell_of_crashes();

 private:
  friend void tell_of_crash(int signal) noexcept;

  std::string_view plugin_, doing_;
  const PluginCall* outer_;
};

}  // namespace tempo
