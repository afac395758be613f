#include "tempo/value_steps.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "support.hpp"

namespace tempo::test {
namespace {

using Values = std::vector<double>;

/// 200 values of N(0, 1), rounded to the step unless it is 0.
Values drawn(double step) {
  auto draw = stream(5);
  Values out(200);
  for (double& x : out) x = step == 0.0 ? draw.normal() : step * std::round(draw.normal() / step);
  return out;
}

}  // namespace

TEST_CASE("steps are found where most values are shared", "[value_steps]") {
  REQUIRE(step_between({}) == 0.0);
  REQUIRE(step_between({1.0}) == 0.0);
  REQUIRE(step_between(drawn(0.0)) == 0.0);
  REQUIRE(step_between(drawn(0.5)) == 0.5);
  REQUIRE(step_between({0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0}) == 1.0);
  REQUIRE(least_sd_of_steps({0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0}) == 0.5);
  REQUIRE(step_between({0.0, 0.0, 1.0, 1.0, 3.0, 3.0}) == 0.0);
  SECTION("a replicate of participants drawn with replacement has no steps") {
    const auto values = drawn(0.0);
    auto draw = stream(8);
    Values replicate;
    for (std::size_t i = 0; i < values.size(); ++i)
      replicate.push_back(values[draw.index(values.size())]);
    REQUIRE(step_between(replicate) == 0.0);
  }
  SECTION("one odd value is no step") {
    auto values = drawn(0.5);
    values.push_back(0.25);
    REQUIRE(step_between(values) == 0.5);
  }
  SECTION("a limit of measurement that some share is no step") {
    auto values = drawn(0.0);
    for (std::size_t i = 0; i < 50; ++i) values[i] = i < 25 ? 0.0 : 1e-9;
    REQUIRE(step_between(values) == 0.0);
  }
  SECTION("one value throughout has no step") {
    REQUIRE(step_between(Values(10, 2.0)) == 0.0);
    REQUIRE(least_sd_of_steps(Values(10, 2.0)) == 0.0);
  }
  SECTION("in other units, in another order") {
    auto values = drawn(0.5);
    std::reverse(values.begin(), values.end());
    for (double& x : values) x *= -0x1p-30;
    REQUIRE(step_between(values) == 0x1p-31);
  }
}

TEST_CASE("few values are named", "[value_steps]") {
  REQUIRE(are_few({1.0, 2.0, 3.0, 4.0, 5.0}));
  REQUIRE_FALSE(are_few({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}));
  auto values = drawn(0.0);
  std::fill_n(values.begin(), 60, 1.0);
  REQUIRE_FALSE(are_few(values));
  values[60] = 1.0;
  REQUIRE(are_few(values));
  REQUIRE(few_values("MMSE").find("in 'MMSE'") != std::string::npos);
}

}  // namespace tempo::test
