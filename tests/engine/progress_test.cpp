#include "engine/progress.hpp"

#include <sstream>
#include <thread>

#include "support.hpp"

namespace tempo::test {

using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
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
  SECTION("terminal") {
    Progress progress(out, /*terminal=*/true, "fits", 4);
    progress.show(0, 0);
    REQUIRE(out.str().empty());  // too early: quick work shows nothing
    std::this_thread::sleep_for(milliseconds(110));
    progress.show(2, 1);
    REQUIRE_THAT(out.str(),
                 StartsWith("\r\033[K[###############               ] 2/4 fits, 1 failed, "));
    REQUIRE_THAT(out.str(), EndsWith("/s, 1 s left"));
    progress.finish();
    REQUIRE_THAT(out.str(), EndsWith("\r\033[K"));  // the tables begin on a clean line
  }
  SECTION("a file") {
    Progress progress(out, /*terminal=*/false, "fits", 4);
    std::this_thread::sleep_for(milliseconds(110));
    progress.show(4, 0);
    progress.finish();
    REQUIRE(out.str().empty());
  }
}

}  // namespace tempo::test
