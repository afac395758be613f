#include "process/supervisor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <limits>

#include "process/descendants.hpp"

namespace tempo::process {
namespace {

constexpr double kLookEvery = 0.01;    // seconds between looks at time and memory, at least
constexpr double kPauseByLook = 50.0;  // a look takes longer on a machine with many processes
constexpr double kMostPause = 0.5;     // seconds
constexpr std::size_t kRoom = 4;       // times the limit: what the user may start beside a program

double now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Closes all descriptors but these; negative ones stand for none.
void close_others(std::array<int, 5> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned next = 3;
  for (const int number : kept) {
    if (number < 0) continue;
    const auto at = static_cast<unsigned>(number);
    if (at > next) ::syscall(SYS_close_range, next, at - 1, 0);
    next = std::max(next, at + 1);
  }
  ::syscall(SYS_close_range, next, ~0U, 0);
}

/// Signals of tempo mean nothing to those that it starts.
void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);  // fails for SIGKILL
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Root alone may start as many processes as it likes.
void limit_processes(const Limits& limits, std::size_t present) {
  rlimit most{};
  if (::getuid() == 0 || ::getrlimit(RLIMIT_NPROC, &most) != 0) return;
  const rlim_t wanted = present + kRoom * limits.processes;
  most.rlim_cur = std::min(most.rlim_cur, wanted);
  ::setrlimit(RLIMIT_NPROC, &most);
}

bool set_limit(decltype(RLIMIT_FSIZE) resource, rlim_t wanted) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return false;
  limit.rlim_max = std::min(limit.rlim_max, wanted);
  limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
  return ::setrlimit(resource, &limit) == 0;
}

/// Where the kernel shares time out by sessions, a new one begins as if nobody had been nice.
void stay_nice() {
  const int nice = ::getpriority(PRIO_PROCESS, 0);
  if (nice == 0) return;
  const int group = ::open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
  if (group < 0) return;
  std::array<char, 8> text{};
  const int size = std::snprintf(text.data(), text.size(), "%d", nice);
  [[maybe_unused]] const auto count = ::write(group, text.data(), static_cast<std::size_t>(size));
  ::close(group);
}

/// In the program's process, which this becomes. A session of its own is a process group of its
/// own, has no terminal, and where the kernel shares time out by sessions leaves the supervisor its
/// share.
/// @param supervisor  the process that watches it
/// @param failure  gets errno if it cannot
[[noreturn]] void become(const Start& start, const Limits& limits, const SupervisorEnds& ends,
                         std::size_t present, pid_t supervisor, int failure) {
  ::setsid();
  stay_nice();
  reset_signals();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);           // nobody would watch it
  if (::getppid() != supervisor) ::_exit(127);  // nor does anybody, if it has ended before that
  limit_processes(limits, present);
  const int input = ends.input >= 0 ? ends.input : ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool is_ready = input >= 0 && ::dup2(input, 0) == 0 && ::dup2(ends.output, 1) == 1 &&
                        ::dup2(ends.errors, 2) == 2 &&
                        (start.folder == nullptr || ::chdir(start.folder) == 0) &&
                        set_limit(RLIMIT_FSIZE, limits.file) && set_limit(RLIMIT_CORE, 0);
  if (is_ready) ::execvpe(start.arguments[0], start.arguments, start.environment);
  const int why = errno;
  if (::write(failure, &why, sizeof why) != sizeof why) ::_exit(126);
  ::_exit(127);
}

/// Starts the program and waits until it has become itself. @return its process; or 0, and `why` in
/// errno's numbers
pid_t start_program(const Start& start, const Limits& limits, const SupervisorEnds& ends,
                    int& why) {
  std::array<int, 2> failure{};
  if (::pipe2(failure.data(), O_CLOEXEC) != 0) {
    why = errno;
    return 0;
  }
  const auto present = ::getuid() == 0 ? 0 : tasks_of_user();
  const auto supervisor = ::getpid();
  const auto program = ::fork();
  if (program == 0) become(start, limits, ends, present, supervisor, failure[1]);
  why = program < 0 ? errno : 0;
  ::close(failure[1]);
  const bool has_failed =
      program > 0 && ::read(failure[0], &why, sizeof why) == static_cast<ssize_t>(sizeof why);
  ::close(failure[0]);
  if (!has_failed) return std::max(program, 0);
  ::waitpid(program, nullptr, 0);
  return 0;
}

/// Watches a program until it has ended.
class Watch {
 public:
  Watch(pid_t program, const Limits& limits, int tempo)
      : program_(program),
        limits_(limits),
        tempo_(tempo),
        handle_(static_cast<int>(::syscall(SYS_pidfd_open, program, 0))) {}

  Report until_end() {
    while (!has_ended()) {
      if (now() >= next_look_) look();
      const double pause = std::clamp(next_look_ - now(), 0.0, kMostPause);
      std::array<pollfd, 2> waited{{{tempo_, POLLIN, 0}, {handle_, POLLIN, 0}}};
      ::poll(waited.data(), waited.size(), static_cast<int>(1000.0 * pause) + 1);
      if (waited[0].revents != 0) listen();
    }
    report_.seconds = now() - begin_;
    ::kill(-program_,
           SIGKILL);  // before its end is taken note of: until then the number is its own
    take_status();
    return report_;
  }

 private:
  /// Takes note of orphans that have ended; the program stays as it is.
  bool has_ended() {
    while (true) {
      siginfo_t child{};
      if (::waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0) return true;
      if (child.si_pid == 0) return false;
      if (child.si_pid == program_) return true;
      ::waitpid(child.si_pid, nullptr, WNOHANG | __WALL);
    }
  }

  void take_status() {
    int status = 0;
    while (::waitpid(program_, &status, 0) < 0 && errno == EINTR) {
    }
    if (report_.outcome == Outcome::exited && WIFSIGNALED(status))
      report_.outcome = Outcome::crashed;
    report_.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }

  /// What tempo says: to end the program; or nothing more, since it is gone.
  void listen() {
    Word word{};
    const auto count = ::read(tempo_, &word, 1);
    if (count < 0 && errno == EINTR) return;
    if (count == 1 && word == Word::time_is_over) return end(Outcome::timed_out, SIGTERM, kGrace);
    if (count == 1) return end(Outcome::interrupted, SIGTERM, limits_.stop_grace);
    ::kill(-program_, SIGKILL);
    kill_descendants();
    ::_exit(1);
  }

  void look() {
    const double begin = now();
    all_.look();
    report_.memory = std::max(report_.memory, all_.memory());
    if (all_.memory() > limits_.memory && all_.shared_out_memory() > limits_.memory)
      end(Outcome::out_of_memory, SIGKILL, 0.0);
    if (all_.count() > limits_.processes) end(Outcome::too_many_processes, SIGKILL, 0.0);
    if (begin > begin_ + limits_.seconds) end(Outcome::timed_out, SIGTERM, kGrace);
    if (begin > kill_at_) kill_all();
    const double end = now();
    next_look_ = end + std::clamp(kPauseByLook * (end - begin), kLookEvery, kMostPause);
    // Neither the limit of time nor the end of grace waits for the next look.
    for (const double due : {begin_ + limits_.seconds, kill_at_})
      if (due > begin) next_look_ = std::min(next_look_, due);
  }

  /// Ends the program for the first reason there is.
  void end(Outcome outcome, int signal, double grace) {
    if (report_.outcome != Outcome::exited) return;
    report_.outcome = outcome;
    kill_at_ = now() + grace;
    next_look_ = std::min(next_look_, kill_at_);
    if (signal == SIGKILL) return kill_all();
    all_.look();
    all_.signal_each(signal);  // once each: who cleans up is not disturbed again
  }

  /// Its group first: at once, and no process of it forks away.
  void kill_all() {
    ::kill(-program_, SIGKILL);
    all_.look();
    all_.kill_groups();
  }

  pid_t program_;
  const Limits& limits_;
  int tempo_;
  int handle_;  ///< of the program: readable when it has ended
  Descendants all_;
  double begin_ = now();
  double next_look_ = begin_ + kLookEvery;
  double kill_at_ = std::numeric_limits<double>::infinity();
  Report report_;
};

/// The name by which other programs know this process is not tempo's, and signals that are meant to
/// end tempo leave it to its work: tempo tells it, or is gone.
void stand_apart() {
  ::setsid();
  ::prctl(PR_SET_NAME, "watches_program");
  reset_signals();
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE}) ::signal(signal, SIG_IGN);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

}  // namespace

void supervise(const Start& start, const Limits& limits, const SupervisorEnds& ends) {
  close_others({ends.tempo, ends.report, ends.input, ends.output, ends.errors});
  stand_apart();
  Report report;
  const auto program = start_program(start, limits, ends, report.code);
  ::setpriority(PRIO_PROCESS, 0, -20);  // where it may: it has to get its turn among all others
  for (const int end : {ends.input, ends.output, ends.errors})
    if (end >= 0) ::close(end);
  if (program == 0) {
    report.outcome = Outcome::not_started;
  } else {
    report = Watch(program, limits, ends.tempo).until_end();
    kill_descendants();
  }
  ::_exit(::write(ends.report, &report, sizeof report) == sizeof report ? 0 : 1);
}

}  // namespace tempo::process
