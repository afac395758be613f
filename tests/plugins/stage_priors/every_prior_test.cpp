// What holds for every stage prior. A new one adds its name.

#include <cmath>

#include "prior_support.hpp"

namespace tempo::test {

TEST_CASE("every stage prior", "[stage_prior]") {
  const auto id = GENERATE(as<std::string>(), "beta", "dirichlet_multinomial", "uniform");
  CAPTURE(id);
  const auto prior = shipped().stage_prior(part(id));

  SECTION("the same stream gives the same stages, another one others") {
    REQUIRE(stages(*prior, 12, 574, stream(1)) == stages(*prior, 12, 574, stream(1)));
    REQUIRE(stages(*prior, 12, 574, stream(1)) != stages(*prior, 12, 574, stream(2)));
  }
  SECTION(
      "stages lie in (0, B], whole ones in 1..B, and with one stage everybody is at it or before") {
    for (const std::size_t B : {1, 2, 3, 12, 100}) {
      const auto k = stages(*prior, B, 2000, stream(3));
      for (const double stage : k) {
        REQUIRE(stage > 0.0);
        REQUIRE(stage <= static_cast<double>(B));
        if (prior->ordinal()) REQUIRE(stage == std::floor(stage));
      }
    }
  }
  SECTION("the shortest cohorts: one diseased participant, none") {
    REQUIRE(stages(*prior, 12, 1, stream(4)).size() == 1);
    REQUIRE(stages(*prior, 12, 0, stream(4)).empty());
  }
}

}  // namespace tempo::test
