// What a process says of itself in its run folder, and what others make of it.

#include "run/run_mark.hpp"

#include <sys/fsuid.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "support.hpp"

namespace tempo::test {
namespace {

/// The mark of a process of this host that works in a folder.
class MarkedFolder {
 public:
  MarkedFolder() : mark(new_mark(Shard(), 1)) {}

  MarkedFolder(const MarkedFolder&) = delete;
  MarkedFolder& operator=(const MarkedFolder&) = delete;

  void write() const { folder_.write("run.state", to_text(mark)); }
  void damage() const { folder_.write("run.state", "{"); }
  /// As if the mark were of long ago, by the clock that times of files here are by.
  void age() const {
    const auto now = std::filesystem::last_write_time(folder_.write("run.lock", ""));
    std::filesystem::last_write_time(mark_in(path()), now - std::chrono::minutes(2));
  }
  const std::filesystem::path& path() const { return folder_.path(); }
  bool is_used_elsewhere(const Waiting& waiting = {}) const {
    return tempo::is_used_elsewhere(path(), waiting);
  }

  RunMark mark;

 private:
  TemporaryFolder folder_;
};

/// As long as it lives, this process is of a user who must not signal those of others.
class AnotherUser {
 public:
  AnotherUser() {
    if (!is_root_) return;
    REQUIRE(setresuid(65534, 65534, 0) == 0);
    setfsuid(0);  // files stay its own
  }
  ~AnotherUser() {
    if (is_root_ && setresuid(0, 0, 0) != 0) std::abort();
  }
  AnotherUser(const AnotherUser&) = delete;
  AnotherUser& operator=(const AnotherUser&) = delete;

 private:
  bool is_root_ = geteuid() == 0;
};

}  // namespace

TEST_CASE("a process of another user is alive", "[run][mark]") {
  MarkedFolder folder;
  folder.mark.process = 1;
  folder.write();
  std::filesystem::permissions(folder.path(), std::filesystem::perms::others_all,
                               std::filesystem::perm_options::add);
  setenv("TEMPO_DISK", "network", 1);
  const auto seen = [&] {
    const AnotherUser user;
    return look_at(folder.path()).activity;
  }();
  unsetenv("TEMPO_DISK");
  REQUIRE(seen == Activity::running);
}

TEST_CASE("a mark that cannot be read at first is watched, too", "[run][mark]") {
  MarkedFolder folder;
  folder.mark.host = "another machine";
  folder.damage();
  std::atomic<bool> is_done = false;
  std::thread other([&] {
    while (!is_done) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      folder.mark.seconds += 1.0;
      folder.write();
    }
  });
  const bool is_used = folder.is_used_elsewhere();
  is_done = true;
  other.join();
  REQUIRE(is_used);
}

TEST_CASE("a wait for a mark says why, and can be stopped", "[run][mark]") {
  MarkedFolder folder;
  folder.mark.host = "another machine";
  folder.write();
  std::atomic<bool> stop = false;
  std::string said;
  const auto begin = std::chrono::steady_clock::now();
  const Waiting waiting{[&](const std::string& line) {
                          said += line;
                          stop = true;
                        },
                        &stop};
  REQUIRE(folder.is_used_elsewhere(waiting));
  REQUIRE(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
  REQUIRE(said == "'" + mark_in(folder.path()).string() +
                      "' was written a moment ago on another machine: waiting up to 35 s to see "
                      "whether a tempo on another machine is at work there");
}

TEST_CASE("a mark that goes on is that of a living process, whatever locks say", "[run][mark]") {
  MarkedFolder folder;
  REQUIRE(!folder.is_used_elsewhere());  // it has no mark
  folder.mark.host = "another machine";
  folder.write();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    folder.mark.seconds += 1.0;
    folder.write();
  });
  REQUIRE(folder.is_used_elsewhere());
  other.join();
}

TEST_CASE("a mark is not waited for where it says all", "[run][mark]") {
  MarkedFolder folder;
  folder.mark.host = "another machine";
  const auto which = GENERATE(range(0, 4));
  switch (which) {
    case 0:
      folder.mark.state = RunMark::State::ended;
      break;
    case 1:
      folder.mark.state = RunMark::State::stopped;
      break;
    case 2:  // old: below
      break;
    default:  // killed on this machine; no process has a number so large
      folder.mark.host = new_mark(Shard(), 1).host;
      folder.mark.process = 1L << 22;
  }
  const auto begin = std::chrono::steady_clock::now();
  folder.write();
  if (which == 2) folder.age();
  REQUIRE(!folder.is_used_elsewhere());
  REQUIRE(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}

}  // namespace tempo::test
