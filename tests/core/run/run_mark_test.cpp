// What a process says of itself in its run folder, and what others make of it.

#include "run/run_mark.hpp"

#include <chrono>
#include <thread>

#include "support.hpp"

namespace tempo::test {
namespace {

/// The mark of a process of this host that works in a folder.
class MarkedFolder {
 public:
  MarkedFolder() : mark(new_mark(Shard(), 1)) {}

  void write() const { folder_.write("run.state", to_text(mark)); }
  bool is_used_elsewhere() const { return tempo::is_used_elsewhere(folder_.path()); }

  RunMark mark;

 private:
  TemporaryFolder folder_;
};

}  // namespace

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
  switch (GENERATE(range(0, 3))) {
    case 0:
      folder.mark.state = RunMark::State::ended;
      break;
    case 1:
      folder.mark.state = RunMark::State::stopped;
      break;
    default:  // killed on this machine; no process has a number so large
      folder.mark.host = new_mark(Shard(), 1).host;
      folder.mark.process = 1L << 22;
  }
  const auto begin = std::chrono::steady_clock::now();
  folder.write();
  REQUIRE(!folder.is_used_elsewhere());
  REQUIRE(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}

}  // namespace tempo::test
