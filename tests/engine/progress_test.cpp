#include "engine/progress.hpp"

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
            "\r\033[K[###############               ] 2/4 fits, 1 failed, 4/s, 1 s left");
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

}  // namespace tempo::test
