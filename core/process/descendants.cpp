#include "process/descendants.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace tempo::process {
namespace {

constexpr std::size_t kMost = std::size_t{1} << 17;  // processes of a machine that are looked at

/// Reads the beginning of a file in /proc. @return false if the process is gone
template <std::size_t N>
bool read_of_process(pid_t id, const char* name, std::array<char, N>& text) {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/%s", id, name);
  const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const auto count = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  text[static_cast<std::size_t>(std::max<ssize_t>(count, 0))] = '\0';
  return count > 0;
}

std::uint64_t next_number(const char*& at) {
  std::uint64_t out = 0;
  while (*at != '\0' && (*at < '0' || *at > '9')) ++at;
  while (*at >= '0' && *at <= '9') out = 10 * out + static_cast<std::uint64_t>(*at++ - '0');
  return out;
}

/// Fields of /proc/ID/stat (proc(5)).
struct Stat {
  pid_t parent = 0, group = 0;
  std::uint64_t threads = 0, pages = 0;
};

bool read_stat(pid_t id, Stat& out) {
  std::array<char, 1024> text{};
  if (!read_of_process(id, "stat", text)) return false;
  const char* at = std::strrchr(text.data(), ')');  // a program may have parentheses in its name
  if (at == nullptr) return false;
  constexpr int kParent = 4, kGroup = 5, kThreads = 20, kPages = 24;
  at += 3;  // the state is a letter
  for (int field = kParent; field <= kPages && *at != '\0'; ++field) {
    while (*at == ' ') ++at;
    const char* begin = at;
    while (*at != ' ' && *at != '\0') ++at;
    const auto number = *begin == '-' ? 0 : next_number(begin);
    if (field == kParent) out.parent = static_cast<pid_t>(number);
    if (field == kGroup) out.group = static_cast<pid_t>(number);
    if (field == kThreads) out.threads = number;
    if (field == kPages) out.pages = number;
  }
  return true;
}

/// Calls `visit` with the id of each process of the machine, in rising order.
template <class Visit>
void for_each_process(Visit&& visit) {
  const int folder = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(dirent64) std::array<char, 1 << 14> entries{};
  for (ssize_t size; (size = ::getdents64(folder, entries.data(), entries.size())) > 0;)
    for (ssize_t at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      const char* name = entry->d_name;
      if (*name >= '0' && *name <= '9') visit(static_cast<pid_t>(next_number(name)));
      at += entry->d_reclen;
    }
  ::close(folder);
}

}  // namespace

Descendants::Descendants() {
  void* memory = ::mmap(nullptr, kMost * sizeof(Process), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory != MAP_FAILED) all_ = static_cast<Process*>(memory);
}

Descendants::~Descendants() {
  if (all_ != nullptr) ::munmap(all_, kMost * sizeof(Process));
}

void Descendants::look() {
  size_ = 0;
  for_each_process([&](pid_t id) {
    Stat stat;
    if (all_ == nullptr || size_ == kMost || !read_stat(id, stat)) return;
    all_[size_++] = {id, stat.parent, stat.group, static_cast<std::uint32_t>(stat.pages), false};
  });
  const auto by_id = [](const Process& a, const Process& b) { return a.id < b.id; };
  if (!std::is_sorted(all_, all_ + size_, by_id)) std::sort(all_, all_ + size_, by_id);
  mark();
}

void Descendants::mark() {
  const auto self = ::getpid();
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  count_ = 0;
  memory_ = 0;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (auto* process = all_; process != all_ + size_; ++process) {
      if (process->descends) continue;
      const auto* parent = process->parent == self ? nullptr : find(process->parent);
      process->descends = process->parent == self || (parent != nullptr && parent->descends);
      if (!process->descends) continue;
      has_changed = true;
      ++count_;
      memory_ += page * process->pages;
    }
  }
}

const Descendants::Process* Descendants::find(pid_t id) const {
  const auto* found = std::lower_bound(
      all_, all_ + size_, id, [](const Process& process, pid_t at) { return process.id < at; });
  return found != all_ + size_ && found->id == id ? found : nullptr;
}

std::uint64_t Descendants::shared_out_memory() const {
  std::uint64_t out = 0;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  for (const auto* process = all_; process != all_ + size_; ++process) {
    if (!process->descends) continue;
    std::array<char, 2048> text{};
    const char* at = read_of_process(process->id, "smaps_rollup", text)
                         ? std::strstr(text.data(), "\nPss:")
                         : nullptr;
    out += at != nullptr ? 1024 * next_number(at) : page * process->pages;
  }
  return out;
}

void Descendants::kill_groups() const {
  pid_t last = ::getpgrp();  // never its own; neighbours are mostly of one group
  for (const auto* process = all_; process != all_ + size_; ++process) {
    if (!process->descends) continue;
    if (process->group > 1 && process->group != last) ::kill(-process->group, SIGKILL);
    if (process->group != ::getpgrp()) last = process->group;
    ::kill(process->id, SIGKILL);  // it may have left the group since
  }
}

void Descendants::signal_each(int number) const {
  for (const auto* process = all_; process != all_ + size_; ++process)
    if (process->descends) ::kill(process->id, number);
}

void kill_descendants() {
  constexpr int kTries = 10'000;  // of a millisecond: what waits for a dead disk cannot be killed
  Descendants left;
  for (int i = 0; i < kTries; ++i) {
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG | __WALL)) > 0) {
    }
    // Without a child there is no descendant.
    if (ended < 0 && errno == ECHILD) return;
    const timespec pause{0, 1'000'000};  // those that have been killed take their time
    ::nanosleep(&pause, nullptr);
    // The groups that are found are killed at once, and none of a killed group forks; whoever had
    // left them is found in the next look.
    left.look();
    left.kill_groups();
  }
}

std::size_t tasks_of_user() {
  std::size_t out = 0;
  const auto user = ::getuid();
  for_each_process([&](pid_t id) {
    std::array<char, 32> path{};
    std::snprintf(path.data(), path.size(), "/proc/%d", id);
    struct stat status {};
    Stat of_process;
    if (::stat(path.data(), &status) != 0 || status.st_uid != user) return;
    if (read_stat(id, of_process)) out += of_process.threads;
  });
  return out;
}

}  // namespace tempo::process
