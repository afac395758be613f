#include "tempo/event_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "support.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

struct Values {
  std::vector<double> healthy, diseased;
};

/// 4000 healthy and 4000 diseased, `share` of them post-event.
Values drawn(const Normal& pre, const Normal& post, double share, std::uint64_t seed) {
  auto stream = test::stream(seed);
  Values out;
  for (int i = 0; i < 4000; ++i) out.healthy.push_back(pre.mean + pre.sd * stream.normal());
  for (int i = 0; i < 4000; ++i) {
    const auto& normal = stream.uniform() < share ? post : pre;
    out.diseased.push_back(normal.mean + normal.sd * stream.normal());
  }
  return out;
}

TEST_CASE("an event mixture finds the distributions it was drawn from", "[event_mixture]") {
  // 2.5 sd apart, 4000 values: means are known to 0.04, sds to 0.03 and the share to 0.02; five of
  // these.
  const Normal pre{10.0, 2.0}, post{5.0, 1.5};
  for (const double share : {0.25, 0.5, 0.75})
    for (const auto healthy_are : {HealthyAre::fixed, HealthyAre::free}) {
      CAPTURE(share);
      const auto [healthy, diseased] = drawn(pre, post, share, 7);
      const auto found = fit_event_mixture(healthy, diseased, healthy_are);
      REQUIRE(found.pre.mean == Approx(pre.mean).margin(0.2));
      REQUIRE(found.pre.sd == Approx(pre.sd).margin(0.15));
      REQUIRE(found.post.mean == Approx(post.mean).margin(0.2));
      REQUIRE(found.post.sd == Approx(post.sd).margin(0.15));
      REQUIRE(found.post_share == Approx(share).margin(0.1));
      REQUIRE(found.evidence > 100.0);
    }
}

TEST_CASE("fixed healthy alone decide the pre-event distribution", "[event_mixture]") {
  const std::vector<double> healthy{1.0, 2.0, 3.0}, diseased{2.0, 7.0, 8.0, 9.0};
  const auto fixed = fit_event_mixture(healthy, diseased, HealthyAre::fixed);
  REQUIRE(fixed.pre.mean == Approx(2.0));
  REQUIRE(fixed.pre.sd == Approx(1.0));
  const auto free = fit_event_mixture(healthy, diseased, HealthyAre::free);
  REQUIRE(free.pre.sd < 0.9);  // the diseased 2 draws it in
}

TEST_CASE("an event mixture knows neither units nor the order of values", "[event_mixture]") {
  auto [healthy, diseased] = drawn({1.0, 1.0}, {3.0, 2.0}, 0.4, 8);
  const auto expected = fit_event_mixture(healthy, diseased, HealthyAre::free);
  const double factor = GENERATE(1e-6, -1.0, 1e6);
  for (auto* group : {&healthy, &diseased}) {
    for (double& x : *group) x *= factor;
    std::reverse(group->begin(), group->end());
  }
  const auto found = fit_event_mixture(healthy, diseased, HealthyAre::free);
  REQUIRE(found.pre.mean == Approx(factor * expected.pre.mean).epsilon(1e-6));
  REQUIRE(found.post.mean == Approx(factor * expected.post.mean).epsilon(1e-6));
  REQUIRE(found.post.sd == Approx(std::abs(factor) * expected.post.sd).epsilon(1e-6));
  REQUIRE(found.post_share == Approx(expected.post_share).epsilon(1e-6));
  REQUIRE(found.evidence == Approx(expected.evidence).epsilon(1e-6));
}

TEST_CASE("an event mixture of one distribution has little evidence", "[event_mixture]") {
  // Three parameters more: twice the gain is about chi-squared with 3 degrees, beyond 21 once in
  // 10^4.
  const auto [healthy, diseased] = drawn({0.0, 1.0}, {0.0, 1.0}, 0.5, 9);
  REQUIRE(fit_event_mixture(healthy, diseased, HealthyAre::fixed).evidence < 10.5);
}

TEST_CASE("no component is narrower than steps, and none is one participant", "[event_mixture]") {
  SECTION("steps") {
    // Nine of ten healthy have 0, the diseased 0 to 3: without a floor a component closes in on 0.
    std::vector<double> healthy(90, 0.0), diseased;
    healthy.resize(100, 1.0);
    for (int i = 0; i < 200; ++i) diseased.push_back(i % 4);
    for (const double unit : {1.0, -1e-6}) {
      auto h = healthy, d = diseased;
      for (auto* group : {&h, &d})
        for (double& x : *group) x *= unit;
      const auto found = fit_event_mixture(h, d, HealthyAre::free);
      REQUIRE(found.pre.sd >= Approx(0.5 * std::abs(unit)));
      REQUIRE(found.post.sd >= Approx(0.5 * std::abs(unit)));
    }
  }
  SECTION("one participant") {
    auto [healthy, diseased] = drawn({0.0, 1.0}, {0.0, 1.0}, 0.0, 9);
    diseased.resize(100);
    diseased[3] = 9.0;
    const auto found = fit_event_mixture(healthy, diseased, HealthyAre::free);
    REQUIRE(found.post_share >= 0.02);
  }
}

TEST_CASE("an event mixture refuses what has no distribution", "[event_mixture]") {
  const std::vector<double> some{1.0, 2.0, 3.0}, equal{2.0, 2.0, 2.0}, one{1.0};
  const std::vector<double> missing{1.0, std::nan(""), 2.0};
  const auto fit = [](const auto& a, const auto& b) {
    return fit_event_mixture(a, b, HealthyAre::fixed);
  };
  REQUIRE_THROWS_AS(fit(one, some), NumericError);
  REQUIRE_THROWS_AS(fit(some, one), NumericError);
  REQUIRE_THROWS_AS(fit(equal, some), NumericError);
  REQUIRE_THROWS_AS(fit(some, missing), NumericError);
  REQUIRE_NOTHROW(fit(some, equal));
}

}  // namespace
}  // namespace tempo
