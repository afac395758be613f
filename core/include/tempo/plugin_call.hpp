#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tempo/export.hpp"

namespace tempo {

/// As long as it lives, its thread is inside a plugin, and a crash is that plugin's. Calls may be
/// nested: the innermost is blamed.
///
/// What a plugin changes of the surroundings in which others compute is put back at the end: how
/// numbers are rounded and tiny ones treated, the locale, which signals are blocked and who handles
/// them.
class TEMPO_API PluginCall {
 public:
  /// What is looked at when the plugin has returned.
  enum class Look {
    all,   ///< takes some microseconds
    quick  ///< how numbers are rounded and the thread's locale: for calls by the thousand
  };
  /// @param plugin  its id, or its file while that is loaded
  /// @param doing   what it does, as `fitting`; both texts have to outlive the object
  PluginCall(std::string_view plugin, std::string_view doing, Look look = Look::all) noexcept;
  ~PluginCall();
  PluginCall(const PluginCall&) = delete;
  PluginCall& operator=(const PluginCall&) = delete;

  /// To be called when the plugin has returned: puts the surroundings back, and complains.
  /// @throws PluginError if they were changed
  void expect_unchanged();
  /// Puts the surroundings back. @return what was changed, for a message; empty: nothing
  std::string put_back() noexcept;

  /// From now on a crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) inside a plugin is told on
  /// standard error, `plugin ID, while DOING: crashed (SIGSEGV)`, before the process dies of it; a
  /// plugin that ends the program is told likewise, and the program fails. A program calls it once.
  static void tell_of_crashes();
  /// From now on changes are left as they are: for a program that looks for them.
  static void leave_changes();

 private:
  friend void tell_of_crash(int signal) noexcept;
  friend void tell_of_exit() noexcept;

  /// What numbers and texts are computed with, of this thread; cheap to look at.
  struct Ways {
    std::uint32_t vectors, scalars;  ///< control words of the processor, without its flags
    void* locale;
    bool operator==(const Ways&) const = default;
  };
  static Ways ways_now() noexcept;

  std::string_view plugin_, doing_;
  const PluginCall* outer_;
  Ways ways_;
  bool looks_at_all_;          ///< the outermost of a thread, unless it is quick
  std::uint64_t blocked_ = 0;  ///< signals
  int slot_ = -1;              ///< of the calls at work, for the outermost of a thread
  bool is_over_ = false;
};

}  // namespace tempo
