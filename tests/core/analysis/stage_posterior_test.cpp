#include "analysis/stage_posterior.hpp"

#include "support.hpp"

namespace tempo::test {

TEST_CASE("a posterior of stages has mode, median, mean and interval", "[analysis][stage]") {
  const auto found = stage_posterior(std::vector{0.05, 0.3, 0.4, 0.25, 0.0});
  REQUIRE(found.mode == 2.0);
  REQUIRE(found.median == 2.0);  // 0.35 are below it
  REQUIRE(found.within.mean == Approx(1.85));
  REQUIRE(found.within.low == 0.0);
  REQUIRE(found.within.high == 3.0);
  REQUIRE_FALSE(found.second_mode);
  REQUIRE(stage_posterior(std::vector{0.5, 0.5}).mode == 0.0);
  REQUIRE(stage_posterior(std::vector{0.5, 0.5}).median == 0.0);
  REQUIRE(stage_posterior(std::vector{0.25, 0.25, 0.5}).median == 1.0);
  REQUIRE(stage_posterior(std::vector{1.0}).mode == 0.0);
}

TEST_CASE("a second peak lies beyond a valley, on either side of the mode", "[analysis][stage]") {
  const std::vector<double> p{0.05, 0.4, 0.05, 0.05, 0.1, 0.35};
  const auto found = stage_posterior(p);
  REQUIRE(found.mode == 1.0);
  REQUIRE(*found.second_mode == 5.0);
  REQUIRE(found.median == 2.0);  // where the participant hardly is
  const std::vector<double> mirrored(p.rbegin(), p.rend());
  REQUIRE(*stage_posterior(mirrored).second_mode == 0.0);
}

TEST_CASE("a shoulder, a shallow valley or a small bump is no second peak", "[analysis][stage]") {
  // A shoulder; a valley of 0.16, more than half of 0.3; exactly half of it.
  REQUIRE_FALSE(stage_posterior(std::vector{0.5, 0.3, 0.2}).second_mode);
  REQUIRE_FALSE(stage_posterior(std::vector{0.54, 0.16, 0.3}).second_mode);
  REQUIRE(*stage_posterior(std::vector{0.5, 0.125, 0.25, 0.125}).second_mode == 2.0);
  // Beyond the valley 0.09 of the probability, and 0.1.
  REQUIRE_FALSE(stage_posterior(std::vector{0.9, 0.01, 0.09}).second_mode);
  REQUIRE(*stage_posterior(std::vector{0.875, 0.0, 0.125}).second_mode == 2.0);
  REQUIRE_FALSE(stage_posterior(std::vector{0.0, 1.0, 0.0}).second_mode);
}

}  // namespace tempo::test
