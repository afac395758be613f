#include "tempo/plugin_call.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <locale>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <utility>

#include "tempo/error.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tempo {
namespace {

thread_local const PluginCall* innermost = nullptr;

struct NamedSignal {
  int number;
  std::string_view name;
};

constexpr std::array<NamedSignal, 5> kCrashes{{{SIGSEGV, "SIGSEGV"},
                                               {SIGBUS, "SIGBUS"},
                                               {SIGFPE, "SIGFPE"},
                                               {SIGILL, "SIGILL"},
                                               {SIGABRT, "SIGABRT"}}};

constexpr std::array<NamedSignal, 6> kNoCrashes{{{SIGINT, "SIGINT"},
                                                 {SIGTERM, "SIGTERM"},
                                                 {SIGHUP, "SIGHUP"},
                                                 {SIGPIPE, "SIGPIPE"},
                                                 {SIGCHLD, "SIGCHLD"},
                                                 {SIGALRM, "SIGALRM"}}};

/// Those of which a program depends on who handles them.
constexpr auto kHandled = [] {
  std::array<NamedSignal, kCrashes.size() + kNoCrashes.size()> out{};
  std::copy(kNoCrashes.begin(), kNoCrashes.end(),
            std::copy(kCrashes.begin(), kCrashes.end(), out.begin()));
  return out;
}();

/// What a signal handler may do: neither allocates nor locks.
void write_to_errors(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

// ---- The calls at work in all threads, for what happens in a thread that a plugin started itself.

constexpr std::size_t kSlots = 64;
constexpr std::size_t kSlotText = 192;

/// Text that a signal handler reads while its thread may write it: its last byte is always 0.
struct Slot {
  std::atomic<bool> is_taken{false};
  std::array<char, kSlotText> text{};
};

std::array<Slot, kSlots> slots;
thread_local int slot_of_thread = -1;

int take_slot(std::string_view plugin, std::string_view doing) noexcept {
  for (std::size_t i = 0; i < kSlots; ++i) {
    if (slots[i].is_taken.exchange(true)) continue;
    std::snprintf(slots[i].text.data(), kSlotText - 1, "plugin %.*s, while %.*s",
                  static_cast<int>(std::min<std::size_t>(plugin.size(), 100)), plugin.data(),
                  static_cast<int>(std::min<std::size_t>(doing.size(), 60)), doing.data());
    return static_cast<int>(i);
  }
  return -1;
}

bool is_any_at_work() noexcept {
  return std::any_of(slots.begin(), slots.end(),
                     [](const Slot& slot) { return slot.is_taken.load(); });
}

/// Names the plugins that are at work, or might be the one.
void write_those_at_work() noexcept {
  const char* separator = "";
  for (const auto& slot : slots) {
    if (!slot.is_taken) continue;
    write_to_errors(separator);
    write_to_errors(slot.text.data());
    separator = " or ";
  }
}

/// Names a plugin and what it does or, where neither is known, all that are at work. @return
/// whether there is any
bool write_blame(std::string_view plugin, std::string_view doing) noexcept {
  if (doing.empty()) {
    write_those_at_work();
    return is_any_at_work();
  }
  for (const auto part : {std::string_view("plugin "), plugin, std::string_view(", while "), doing})
    write_to_errors(part);
  return true;
}

// ---- What all threads share.

struct Shared {
  std::array<struct sigaction, kHandled.size()> handlers{};
  std::array<char, 512> locale_name{};
  std::locale locale;
};

bool is_same(const struct sigaction& a, const struct sigaction& b) noexcept {
  return a.sa_flags == b.sa_flags &&
         ((a.sa_flags & SA_SIGINFO) != 0 ? a.sa_sigaction == b.sa_sigaction
                                         : a.sa_handler == b.sa_handler);
}

void look_at(Shared& out) noexcept {
  for (std::size_t i = 0; i < kHandled.size(); ++i)
    ::sigaction(kHandled[i].number, nullptr, &out.handlers[i]);
  std::snprintf(out.locale_name.data(), out.locale_name.size(), "%s",
                std::setlocale(LC_ALL, nullptr));
  out.locale = std::locale();
}

/// While any thread is inside a plugin, what all threads share is as it was when the first went in.
std::mutex shared_mutex;
std::size_t threads_inside = 0;
thread_local bool is_inside = false;  ///< this thread
/// Never destroyed: plugins may be called while the program ends.
Shared& shared_before() {
  static auto* before = new Shared;
  return *before;
}

void enter() noexcept {
  const std::lock_guard lock(shared_mutex);
  if (threads_inside++ == 0) look_at(shared_before());
  is_inside = true;
}

void leave() noexcept {
  const std::lock_guard lock(shared_mutex);
  --threads_inside;
  is_inside = false;
}

/// Says once what one of several plugins changed.
void warn_of(const std::string& changed) {
  static auto* said = new std::set<std::string>;
  if (!said->insert(changed).second) return;
  write_to_errors("warning: ");
  write_those_at_work();
  write_to_errors(": changed " + changed + "; tempo has put it back\n");
}

/// Puts back what all threads share. @return what was changed; nothing, and a warning, where
/// several threads are inside plugins, as nobody knows which of these it was
std::string put_shared_back() noexcept {
  const std::lock_guard lock(shared_mutex);
  const auto& before = shared_before();
  std::string changed;
  Shared now;
  look_at(now);
  if (now.locale_name != before.locale_name || !(now.locale == before.locale)) {
    std::locale::global(before.locale);  // sets that of C, too, if it has a name
    std::setlocale(LC_ALL, before.locale_name.data());
    changed = "the locale of the program";
  }
  for (std::size_t i = 0; i < kHandled.size(); ++i) {
    if (is_same(now.handlers[i], before.handlers[i])) continue;
    ::sigaction(kHandled[i].number, &before.handlers[i], nullptr);
    changed += std::string(changed.empty() ? "" : ", ") + "the handler of " +
               std::string(kHandled[i].name);
  }
  if (changed.empty() || threads_inside == 1) return changed;
  warn_of(changed);
  return {};
}

/// A child has one thread, whatever its parent had.
void forget_other_threads() noexcept {
  threads_inside = is_inside ? 1 : 0;
  for (std::size_t i = 0; i < kSlots; ++i)
    if (static_cast<int>(i) != slot_of_thread) slots[i].is_taken = false;
  shared_mutex.unlock();
}

// ---- Signals

std::uint64_t blocked_now() noexcept {
  sigset_t set;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &set);
  std::uint64_t out = 0;
  for (int signal = 1; signal < 64; ++signal)
    if (::sigismember(&set, signal) == 1) out |= std::uint64_t{1} << static_cast<unsigned>(signal);
  return out;
}

void block(std::uint64_t signals) noexcept {
  sigset_t set;
  ::sigemptyset(&set);
  for (int signal = 1; signal < 64; ++signal)
    if ((signals >> static_cast<unsigned>(signal) & 1U) != 0) ::sigaddset(&set, signal);
  ::pthread_sigmask(SIG_SETMASK, &set, nullptr);
}

/// A stack for the handlers of a thread's crashes: one of them is that its own has no room left.
class HandlerStack {
 public:
  HandlerStack() noexcept {
    stack_t now{};
    if (::sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
    memory_.reset(new (std::nothrow) char[kBytes]);
    if (memory_ == nullptr) return;
    stack_t ours{};
    ours.ss_sp = memory_.get();
    ours.ss_size = kBytes;
    ::sigaltstack(&ours, nullptr);
  }
  ~HandlerStack() {
    if (memory_ == nullptr) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
  }
  HandlerStack(const HandlerStack&) = delete;
  HandlerStack& operator=(const HandlerStack&) = delete;

 private:
  static constexpr std::size_t kBytes = 64 << 10;
  std::unique_ptr<char[]> memory_;
};

void give_handler_stack() noexcept { static thread_local const HandlerStack stack; }

std::atomic<bool> tells_of_crashes{false};
std::atomic<bool> leaves_changes{false};
std::terminate_handler ends_as_ever = std::abort;

bool is_out_of_memory() noexcept {
  if (std::current_exception() == nullptr) {  // perhaps there was no memory for one
    void* volatile some = std::malloc(4096);
    std::free(some);
    return some == nullptr;
  }
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

/// Ends the program for want of memory where nothing can catch it: in a destructor, say, of what
/// was made with the last of it. Whatever else it is ends it as ever.
void tell_of_end() noexcept {
  if (!is_out_of_memory()) ends_as_ever();
  if (slot_of_thread >= 0)
    write_to_errors(slots[static_cast<std::size_t>(slot_of_thread)].text.data());
  else if (!write_blame({}, {}))
    write_to_errors("tempo");
  write_to_errors(": there is not enough memory\n");
  ::_exit(EXIT_FAILURE);
}

}  // namespace

void tell_of_crash(int signal) noexcept {
  const auto* call = innermost;
  if (call == nullptr ? write_blame({}, {}) : write_blame(call->plugin_, call->doing_)) {
    write_to_errors(": crashed (");
    for (const auto& [number, name] : kCrashes)
      if (number == signal) write_to_errors(name);
    write_to_errors(
        "); its author has to mend it, or, if the file is damaged, build or copy it again\n");
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // the shell and debuggers see what it was
}

void tell_of_exit() noexcept {
  const auto* call = innermost;
  if (call == nullptr && !is_any_at_work()) return;
  std::fflush(nullptr);  // what it said comes before what is said of it
  if (call == nullptr)
    write_those_at_work();
  else
    write_blame(call->plugin_, call->doing_);
  write_to_errors(": ended the program (exit), which is not for a plugin to do\n");
  ::_exit(EXIT_FAILURE);
}

PluginCall::Ways PluginCall::ways_now() noexcept {
  Ways out{};
#if defined(__x86_64__)
  constexpr std::uint32_t kFlags = 0x3F;
  out.vectors = _mm_getcsr() & ~kFlags;
  std::uint16_t word = 0;
  asm volatile("fnstcw %0" : "=m"(word));
  out.scalars = word;
#else
  out.vectors = static_cast<std::uint32_t>(std::fegetround());
  out.scalars = static_cast<std::uint32_t>(::fegetexcept());
#endif
  out.locale = ::uselocale(locale_t{});
  return out;
}

PluginCall::PluginCall(std::string_view plugin, std::string_view doing, Look look) noexcept
    : plugin_(plugin),
      doing_(doing),
      outer_(std::exchange(innermost, this)),
      ways_(ways_now()),
      looks_at_all_(outer_ == nullptr && look == Look::all) {
  if (!looks_at_all_) return;
  if (tells_of_crashes) give_handler_stack();
  blocked_ = blocked_now();
  enter();
  slot_ = slot_of_thread = take_slot(plugin, doing);
}

std::string PluginCall::put_back() noexcept {
  is_over_ = true;
  if (leaves_changes) return {};
  std::string changed;
  const auto add = [&](const std::string& what) {
    if (!what.empty()) changed += (changed.empty() ? "" : ", ") + what;
  };
  if (const auto now = ways_now(); now != ways_) {
    if (now.locale != ways_.locale) {
      ::uselocale(static_cast<locale_t>(ways_.locale));
      add("the locale of its thread");
    }
#if defined(__x86_64__)
    if (now.vectors != ways_.vectors || now.scalars != ways_.scalars) {
      _mm_setcsr(ways_.vectors);
      const auto word = static_cast<std::uint16_t>(ways_.scalars);
      asm volatile("fldcw %0" : : "m"(word));
      add("how numbers are rounded, or tiny ones treated");
    }
#else
    if (now.vectors != ways_.vectors) {
      std::fesetround(static_cast<int>(ways_.vectors));
      add("how numbers are rounded");
    }
    if (now.scalars != ways_.scalars) {
      ::fedisableexcept(FE_ALL_EXCEPT);
      ::feenableexcept(static_cast<int>(ways_.scalars));
      add("which results are faults");
    }
#endif
  }
  if (!looks_at_all_) return changed;
  if (blocked_now() != blocked_) {
    block(blocked_);
    add("which signals are blocked");
  }
  add(put_shared_back());
  return changed;
}

void PluginCall::expect_unchanged() {
  const auto changed = put_back();
  if (changed.empty()) return;
  throw PluginError("plugin " + std::string(plugin_) + ", while " + std::string(doing_) +
                    ": changed " + changed +
                    ", and others would have found other results; tempo has put it back");
}

PluginCall::~PluginCall() {
  if (!is_over_) put_back();
  innermost = outer_;
  if (!looks_at_all_) return;
  if (slot_ >= 0) slots[static_cast<std::size_t>(slot_)].is_taken = false;
  slot_of_thread = -1;
  leave();
}

void PluginCall::tell_of_crashes() {
  tells_of_crashes = true;
  struct sigaction told {};
  told.sa_handler = [](int signal) { tell_of_crash(signal); };
  told.sa_flags = SA_ONSTACK;
  for (const auto& [number, name] : kCrashes) ::sigaction(number, &told, nullptr);
  ends_as_ever = std::set_terminate([] { tell_of_end(); });
  std::atexit([] { tell_of_exit(); });
  std::at_quick_exit([] { tell_of_exit(); });
  ::pthread_atfork([] { shared_mutex.lock(); }, [] { shared_mutex.unlock(); },
                   [] { forget_other_threads(); });
}

void PluginCall::leave_changes() { leaves_changes = true; }

}  // namespace tempo
