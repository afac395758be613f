#include "run/progress.hpp"

#include <sstream>

#include "support.hpp"

namespace tempo::test {

using Catch::Matchers::EndsWith;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_CASE("times are said as a person would", "[engine][progress]") {
  REQUIRE(in_words(milliseconds(1)) == "1 s");
  REQUIRE(in_words(seconds(89)) == "89 s");
  REQUIRE(in_words(seconds(90)) == "2 min");
  REQUIRE(in_words(seconds(89 * 60)) == "89 min");
  REQUIRE(in_words(seconds(2 * 3600 + 20 * 60)) == "2 h 20 min");
}

TEST_CASE("a terminal gets a bar, anything else no more than a line in ten seconds",
          "[engine][progress]") {
  std::ostringstream out;
  Progress::Clock::time_point now;
  const auto clock = [&] { return now; };
  SECTION("terminal") {
    Progress progress(out, /*terminal=*/true, "fits", clock);
    now += milliseconds(99);
    progress.show({.done = 0, .failed = 0, .total = 4});
    REQUIRE(out.str().empty());  // too early: quick work shows nothing
    now += milliseconds(401);
    progress.show({.done = 2, .failed = 1, .total = 4});
    REQUIRE(out.str() ==
            "\r\033[K\033[?7l[###############               ] 2/4 fits, 1 failed, 4/s, 1 s left"
            "\033[?7h");
    progress.finish();
    REQUIRE_THAT(out.str(), EndsWith("\r\033[K"));  // the tables begin on a clean line
  }
  SECTION("a file") {
    Progress progress(out, /*terminal=*/false, "fits", clock);
    now += milliseconds(9'999);
    progress.show({.done = 1, .failed = 0, .total = 4});
    REQUIRE(out.str().empty());
    now += milliseconds(1);
    progress.show({.done = 4, .failed = 0, .total = 4});
    progress.finish();
    REQUIRE(out.str() == "4/4 fits\n");
  }
}

TEST_CASE("a time left that is known goes before the number of fits a second",
          "[engine][progress]") {
  std::ostringstream out;
  Progress::Clock::time_point now;
  Progress progress(out, /*terminal=*/false, "fits", [&] { return now; });
  now += seconds(10);
  progress.show({.done = 0, .failed = 0, .total = 4, .seconds_left = 300.0});
  now += seconds(10);
  progress.show({.done = 3, .failed = 0, .total = 4, .seconds_left = 200.0});
  REQUIRE(out.str() == "0/4 fits, 5 min left\n3/4 fits, 0.15/s, 3 min left\n");
}

TEST_CASE("a training shows where it stands and how long it will take", "[engine][progress]") {
  std::ostringstream out;
  Progress::Clock::time_point now;
  std::atomic<bool> stop = false;
  // Half of epoch 3 of 5, begun by this session at the start of epoch 2: 1.5 epochs took 15 s,
  // so 2.5 take 25 s more.
  const auto train = [&](TrainingProgress& progress, milliseconds pause) {
    progress.epoch({.epoch = 1, .epochs = 5, .numbers = {{"tau", 0.5}}});  // of an earlier session
    progress.step({.epoch = 2, .epochs = 5, .samples_done = 0, .samples = 8, .loss = 0.5});
    now += milliseconds(10'000) - pause;
    progress.epoch({.epoch = 2, .epochs = 5, .numbers = {{"tau", 0.25}, {"mae", 1.0 / 3.0}}});
    now += milliseconds(5'000) + pause;
    progress.step({.epoch = 3,
                   .epochs = 5,
                   .samples_done = 4,
                   .samples = 8,
                   .loss = 0.125,
                   .samples_per_second = 3.75});
  };
  const std::string line =
      "tempo on h1: epoch 3/5, 25 s left, loss 0.125; epoch 2: tau 0.25, mae 0.3333; 3.75 "
      "samples/s";
  SECTION("in a file, a line in ten seconds") {
    TrainingProgress progress(out, /*terminal=*/false, "tempo on h1", stop, [&] { return now; });
    train(progress, milliseconds(1));
    REQUIRE(out.str() == line + "\n");
    REQUIRE(progress.last_epoch().epoch == 2);
  }
  SECTION("on a terminal, a bar for the share that is done") {
    TrainingProgress progress(out, /*terminal=*/true, "tempo on h1", stop, [&] { return now; });
    train(progress, milliseconds(0));
    REQUIRE_THAT(out.str(), EndsWith("\r\033[K\033[?7l[" + std::string(15, '#') +
                                     std::string(15, ' ') + "] " + line + "\033[?7h"));
    progress.finish();
    REQUIRE_THAT(out.str(), EndsWith("\r\033[K"));
  }
  SECTION("it says once that it stops") {
    TrainingProgress progress(out, /*terminal=*/false, "tempo on h1", stop, [&] { return now; });
    REQUIRE(!progress.stop_asked());
    stop = true;
    REQUIRE(progress.stop_asked());
    REQUIRE(progress.stop_asked());
    REQUIRE(out.str() == "stopping the training; Ctrl-C again to leave at once\n");
  }
}

}  // namespace tempo::test
