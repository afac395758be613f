// Programs of others end as they should, and leave nothing behind.

#include "process/program.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "process/conversation.hpp"
#include "support.hpp"

namespace tempo::process {
namespace {

using test::TemporaryFolder;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What a shell does.
End run_script(const std::string& script, const Limits& limits = {},
               const std::atomic<bool>* stop = nullptr) {
  return run({.command = {"sh", "-c", script}}, limits, stop);
}

/// Whether a process runs: one that has ended and waits for its parent does not.
bool is_running(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(stat, text);
  const auto name_ends = text.rfind(')');
  return name_ends != std::string::npos && text.at(name_ends + 2) != 'Z';
}

/// Numbers that a program wrote into a file, one a line.
std::vector<pid_t> ids_in(const std::filesystem::path& file) {
  std::vector<pid_t> out;
  std::ifstream in(file);
  for (pid_t id = 0; in >> id;) out.push_back(id);
  return out;
}

/// How many of them run; those that have been killed are given a second to go.
std::size_t running(const std::vector<pid_t>& ids) {
  const auto begin = Clock::now();
  while (true) {
    const auto count = static_cast<std::size_t>(std::count_if(ids.begin(), ids.end(), is_running));
    if (count == 0 || seconds_since(begin) > 1.0) return count;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

TEST_CASE("a program's end is told as it was", "[process]") {
  SECTION("it exits, and says something on both of its outputs") {
    const auto end = run_script("echo out; echo err >&2; exit 3");
    REQUIRE(end.outcome == Outcome::exited);
    REQUIRE(end.code == 3);
    REQUIRE(end.output == "out\n");
    REQUIRE(end.errors == "err\n");
    REQUIRE_FALSE(end.output_is_cut);
    REQUIRE(in_words(end, {}) == "ended with status 3");
    REQUIRE_FALSE(is_success(end));
  }
  SECTION("it does its work") { REQUIRE(is_success(run({.command = {"true"}}, {}))); }
  SECTION("it crashes") {
    const auto end = run_script("kill -SEGV $$");
    REQUIRE(end.outcome == Outcome::crashed);
    REQUIRE(end.code == SIGSEGV);
    REQUIRE(in_words(end, {}) == "crashed (signal 11, Segmentation fault)");
  }
  SECTION("there is no such program") {
    const auto end = run({.command = {"no-such-program"}}, {});
    REQUIRE(end.outcome == Outcome::not_started);
    REQUIRE(end.code == ENOENT);
    REQUIRE(in_words(end, {}) == "cannot be started: No such file or directory");
  }
  SECTION("it is no program") {
    TemporaryFolder folder;
    std::ofstream(folder.path() / "text") << "nothing";
    REQUIRE(run({.command = {(folder.path() / "text").string()}}, {}).code == EACCES);
  }
  SECTION("its folder is not there") {
    const auto end = run({.command = {"true"}, .folder = "/no/such/folder"}, {});
    REQUIRE(end.outcome == Outcome::not_started);
  }
  SECTION("nobody named one") { REQUIRE_THROWS_WITH(run({}, {}), "no program is named"); }
}

TEST_CASE("a program gets the folder and the environment it is given, and no input", "[process]") {
  TemporaryFolder folder;
  const auto where = run({.command = {"pwd", "-P"}, .folder = folder.path()}, {});
  REQUIRE(where.output == std::filesystem::canonical(folder.path()).string() + "\n");

  const auto environment = run({.command = {"env"}, .environment = {{"A=1", "B=two words"}}}, {});
  REQUIRE(environment.output == "A=1\nB=two words\n");
  const std::string long_value(1000, 'v');
  REQUIRE(run({.command = {"env"}, .environment = {{"LONG=" + long_value}}}, {}).output ==
          "LONG=" + long_value + "\n");

  ::setenv("TEMPO_TEST_VARIABLE", "kept", 1);
  REQUIRE(run_script("echo $TEMPO_TEST_VARIABLE").output == "kept\n");
  REQUIRE(run({.command = {"cat"}}, {}).output.empty());
  REQUIRE(run_script("ls /proc/self/fd").output == "0\n1\n2\n3\n");  // 3 is the list itself
}

TEST_CASE("a program is as nice as whoever starts it", "[process]") {
  TemporaryFolder folder;
  const auto child = ::fork();
  if (child == 0) {
    ::setpriority(PRIO_PROCESS, 0, 7);
    const auto end = run_script("nice; cat /proc/self/autogroup 2>/dev/null");
    std::ofstream(folder.path() / "said") << end.output;
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  std::ifstream said(folder.path() / "said");
  std::string nice, group;
  std::getline(said, nice);
  REQUIRE(nice == "7");
  if (std::getline(said, group))  // `/autogroup-123 nice 7`, where the kernel has such
    REQUIRE_THAT(group, Catch::Matchers::EndsWith(" nice 7"));
}

TEST_CASE("limits end a program", "[process]") {
  SECTION("of time") {
    const auto begin = Clock::now();
    const auto end = run_script("echo before; sleep 60", {.seconds = 0.3});
    REQUIRE(end.outcome == Outcome::timed_out);
    REQUIRE(end.code == SIGTERM);
    REQUIRE(end.seconds >= 0.3);
    REQUIRE(seconds_since(begin) < 3.0);
    REQUIRE(end.output == "before\n");
    REQUIRE(in_words(end, {.seconds = 0.3}) == "took more than 0.3 s");
  }
  SECTION("of time, where it asks for none") {
    const auto end = run_script("trap '' TERM; while :; do sleep 1; done", {.seconds = 0.2});
    REQUIRE(end.outcome == Outcome::timed_out);
    REQUIRE(end.code == SIGKILL);
    REQUIRE(end.seconds >= 0.2 + kGrace);
    REQUIRE(end.seconds < 0.2 + kGrace + 3.0);
  }
  SECTION("of time, and it may end in its own way") {
    const auto end =
        run_script("trap 'echo bye; exit 7' TERM; while :; do sleep 0.05; done", {.seconds = 0.2});
    REQUIRE(end.outcome == Outcome::timed_out);
    REQUIRE(end.code == 7);
    REQUIRE(end.output == "bye\n");
  }
  SECTION("of memory") {
    // A shell variable that doubles: 2^27 characters would be 128 MiB.
    const auto end = run_script(
        "x=0123456789abcdef; i=0; while [ $i -lt 23 ]; do x=$x$x; i=$((i+1)); done; sleep 60",
        {.seconds = 30.0, .memory = std::uint64_t{48} << 20});
    REQUIRE(end.outcome == Outcome::out_of_memory);
    REQUIRE(end.memory > std::uint64_t{48} << 20);
    REQUIRE(in_words(end, {.memory = std::uint64_t{48} << 20}) ==
            "held more than 48 MiB of memory");
  }
  SECTION("of processes: a tree of 200 that sleep is gone at once") {
    TemporaryFolder folder;
    const auto begin = Clock::now();
    const auto end = run(
        {.command = {"sh", "-c", "for i in $(seq 200); do sleep 60 & echo $! >> ids; done; wait"},
         .folder = folder.path()},
        {.seconds = 30.0, .processes = 50});
    REQUIRE(end.outcome == Outcome::too_many_processes);
    REQUIRE(seconds_since(begin) < 10.0);
    const auto ids = ids_in(folder.path() / "ids");
    REQUIRE(ids.size() >= 50);
    REQUIRE(running(ids) == 0);
    REQUIRE(in_words(end, {.processes = 50}) == "started more than 50 processes");
  }
  SECTION("of a file") {
    TemporaryFolder folder;
    const auto end =
        run({.command = {"sh", "-c", "cat /dev/zero > large"}, .folder = folder.path()},
            {.seconds = 30.0, .file = 100'000});
    REQUIRE(end.outcome == Outcome::exited);  // it is the shell's child that the signal ends
    REQUIRE(end.code == 128 + SIGXFSZ);
    REQUIRE(std::filesystem::file_size(folder.path() / "large") == 100'000);
  }
}

TEST_CASE("output without end holds no memory", "[process]") {
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  const auto end = run_script("exec cat /dev/zero", {.seconds = 1.0, .kept = 1000});
  ::getrusage(RUSAGE_SELF, &after);
  REQUIRE(end.outcome == Outcome::timed_out);
  REQUIRE(end.output.size() == 1000);
  REQUIRE(end.output_is_cut);
  REQUIRE(after.ru_maxrss - before.ru_maxrss < 4096);  // KiB
}

TEST_CASE("what a program has started dies with it", "[process]") {
  TemporaryFolder folder;
  const auto call = [&](const std::string& script) {
    return Call{.command = {"sh", "-c", script}, .folder = folder.path()};
  };
  const auto ids = [&] { return ids_in(folder.path() / "ids"); };

  SECTION("a child of its group") {
    REQUIRE(is_success(run(call("sleep 61 & echo $! > ids"), {})));
    REQUIRE(ids().size() == 1);
    REQUIRE(running(ids()) == 0);
  }
  SECTION("a child that left the group, and its children") {
    REQUIRE(is_success(
        run(call("setsid sh -c 'echo $$ >> ids; sleep 62 & echo $! >> ids; wait' & "
                 "while [ \"$(cat ids 2>/dev/null | wc -l)\" -lt 2 ]; do sleep 0.01; done"),
            {})));
    REQUIRE(ids().size() == 2);
    REQUIRE(running(ids()) == 0);
  }
  SECTION("a child that ignores SIGTERM, when time is over") {
    const auto end = run(call("sh -c 'trap \"\" TERM; echo $$ > ids; while :; do sleep 1; done' & "
                              "wait"),
                         {.seconds = 0.3});
    REQUIRE(end.outcome == Outcome::timed_out);
    REQUIRE(ids().size() == 1);
    REQUIRE(running(ids()) == 0);
  }
}

TEST_CASE("a stop ends a program within a second", "[process]") {
  std::atomic<bool> stop = false;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop = true;
  });
  const auto end = run_script("trap '' TERM; while :; do sleep 1; done", {}, &stop);
  later.join();
  REQUIRE(end.outcome == Outcome::interrupted);
  REQUIRE(end.seconds < 1.2);
  REQUIRE(in_words(end, {}) == "was stopped");
}

TEST_CASE("programs run side by side", "[process]") {
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      const auto end = run_script("sleep 0.2; echo " + std::to_string(i));
      good += end.output == std::to_string(i) + "\n";
    });
  for (auto& thread : threads) thread.join();
  REQUIRE(good == 8);
}

/// In a process of its own that is killed while programs run.
/// @return the ids of these programs' processes
std::vector<pid_t> killed_while_running(const std::filesystem::path& folder,
                                        const std::string& script, std::size_t expected) {
  const auto parent = ::fork();
  if (parent == 0) {
    run({.command = {"sh", "-c", script}, .folder = folder}, {});
    ::_exit(0);
  }
  const auto begin = Clock::now();
  while (ids_in(folder / "ids").size() < expected && seconds_since(begin) < 20.0)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  return ids_in(folder / "ids");
}

TEST_CASE("kill -9 of the parent leaves no process", "[process]") {
  TemporaryFolder folder;
  const auto ids = killed_while_running(
      folder.path(),
      "trap '' TERM; echo $$ >> ids; sleep 63 & echo $! >> ids; setsid sleep 64 & echo $! >> ids; "
      "wait",
      3);
  REQUIRE(ids.size() == 3);
  REQUIRE(running(ids) == 0);
}

TEST_CASE("a user who is not root has room for a few times the processes", "[process]") {
  if (::getuid() != 0) return;  // only root becomes another
  TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  const auto child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::setuid(kNobody) != 0) ::_exit(1);
    const auto end = run({.command = {"cat", "/proc/self/limits"}}, {.processes = 10});
    std::ofstream(folder.path() / "limits") << end.output;
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  std::ifstream in(folder.path() / "limits");
  std::string line;
  while (std::getline(in, line) && line.rfind("Max processes", 0) != 0) {
  }
  std::istringstream words(line);
  std::string word;
  std::size_t most = 0;
  words >> word >> word >> most;
  REQUIRE(most >= 4 * 10);
  REQUIRE(most < 4 * 10 + 200);  // beside what nobody runs already
}

TEST_CASE("a conversation is a line for a line", "[process]") {
  const auto talk = [](const std::string& script, const Limits& limits = {.seconds = 10.0}) {
    return std::make_unique<Conversation>(Call{.command = {"sh", "-c", script}}, limits);
  };
  using What = Reply::What;
  constexpr std::size_t kMost = 1 << 20;

  SECTION("as long as it lasts") {
    const auto echo = talk("while read -r line; do echo \"$line, too\"; done; echo gone >&2");
    for (const auto* word : {"one", "two"}) {
      const auto reply = echo->ask(word, kMost);
      REQUIRE(reply.what == What::line);
      REQUIRE(reply.line == std::string(word) + ", too");
    }
  }
  SECTION("lines longer than a pipe holds, both ways") {
    const std::string line(1'000'000, 'x');
    const auto cat = talk("exec cat");
    const auto reply = cat->ask(line, kMost);
    REQUIRE(reply.what == What::line);
    REQUIRE(reply.line == line);
  }
  SECTION("a line that is too long") {
    REQUIRE(talk("exec cat /dev/zero")->ask("", 1000).what == What::too_long);
  }
  SECTION("it ends instead, whether or not it has read") {
    for (const auto* script : {"exit 4", "read -r line; echo half-; exit 4"}) {
      const auto ends = talk(script);
      const auto reply = ends->ask(std::string(200'000, 'x'), kMost);
      if (reply.what == What::line) REQUIRE(reply.line == "half-");
      while (ends->ask("", kMost).what == What::line) {
      }
      const auto end = ends->end();
      REQUIRE(end.outcome == Outcome::exited);
      REQUIRE(end.code == 4);
    }
  }
  SECTION("it takes too long") {
    const auto slow =
        talk("echo words >&2; while read -r line; do sleep 60; done", {.seconds = 0.2});
    REQUIRE(slow->ask("", kMost).what == What::nothing);
    const auto end = slow->end();
    REQUIRE(end.outcome == Outcome::timed_out);
    REQUIRE(end.errors == "words\n");
  }
  SECTION("tempo stops") {
    const std::atomic<bool> stop = true;
    const auto slow = talk("while read -r line; do sleep 60; done");
    REQUIRE(slow->ask("", kMost, &stop).what == What::nothing);
    REQUIRE(slow->end().outcome == Outcome::interrupted);
  }
  SECTION("nobody asks any more, and it goes") {
    const auto begin = Clock::now();
    talk("exec cat").reset();
    REQUIRE(seconds_since(begin) < 0.9);
  }
}

TEST_CASE("the last words are the last lines, on one", "[process]") {
  REQUIRE(last_words("") == "");
  REQUIRE(last_words("a\n\nb\r\n  \nc\nd\n") == "b | c | d");
  REQUIRE(last_words(std::string(9000, 'x')).size() == 503);
}

}  // namespace
TEST_CASE("a program whose time is over is told once", "[process]") {
  const auto end =
      run_script("trap 'echo told' TERM; i=0; while [ $i -lt 30 ]; do sleep 0.05; i=$((i+1)); done",
                 {.seconds = 0.3});
  REQUIRE(end.outcome == Outcome::timed_out);
  REQUIRE(end.output == "told\n");
}

TEST_CASE("a file beyond the limit is named", "[process]") {
  const TemporaryFolder folder;
  const Limits limits{.file = std::uint64_t{1} << 20};
  const auto end = run(
      {.command = {"sh", "-c", "exec head -c 2000000 /dev/zero > big"}, .folder = folder.path()},
      limits);
  REQUIRE(end.outcome == Outcome::crashed);
  REQUIRE(in_words(end, limits) == "wrote a file of more than 1 MiB");
}

}  // namespace tempo::process
