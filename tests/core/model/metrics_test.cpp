#include "tempo/metrics.hpp"

#include <algorithm>
#include <cmath>

#include "support.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::test {
using Catch::Matchers::WithinAbs;

TEST_CASE("metrics", "[model][metrics]") {
  const Ranks truth({1, 2, 3, 4});

  SECTION("the distance is 0 for the true order, 1 for its reverse") {
    REQUIRE(tau_distance(std::vector{0.1, 0.2, 0.3, 0.4}, truth) == 0.0);
    REQUIRE(tau_distance(std::vector{4.0, 3.0, 2.0, 1.0}, truth) == 1.0);
  }
  SECTION("one exchanged neighbour costs one of the six pairs") {
    REQUIRE_THAT(tau_distance(std::vector{2.0, 1.0, 3.0, 4.0}, truth), WithinAbs(1.0 / 6, 1e-15));
  }
  SECTION("ties keep biomarker order: all equal scores mean the order of the columns") {
    REQUIRE(tau_distance(std::vector{7.0, 7.0, 7.0, 7.0}, truth) == 0.0);
    REQUIRE(tau_distance(std::vector{7.0, 7.0, 7.0, 7.0}, Ranks({4, 3, 2, 1})) == 1.0);
  }
  SECTION("one biomarker has no pair to get wrong") {
    REQUIRE(tau_distance(std::vector{3.0}, Ranks({1})) == 0.0);
  }
  SECTION("how many orders are as near is counted exactly") {
    // All 120 orders of five.
    std::vector<std::size_t> order{1, 2, 3, 4, 5};
    std::vector<double> distances;
    do {
      const Ranks ranks(order);
      distances.push_back(tau_distance(std::vector{1.0, 2.0, 3.0, 4.0, 5.0}, ranks));
    } while (std::next_permutation(order.begin(), order.end()));
    REQUIRE(distances.size() == 120);
    for (int inversions = 0; inversions <= 10; ++inversions) {
      const double distance = inversions / 10.0;
      const auto as_near = std::count_if(distances.begin(), distances.end(),
                                         [&](double other) { return other < distance + 0.05; });
      REQUIRE_THAT(share_of_orders_as_near(distance, 5),
                   WithinAbs(static_cast<double>(as_near) / 120.0, 1e-14));
    }
    // The true order alone, and it and the twelve that exchange two neighbours; no digits lost on
    // the way.
    double orders = 1.0;
    for (int n = 2; n <= 13; ++n) orders *= n;
    REQUIRE(share_of_orders_as_near(0.0, 13) == Approx(1.0 / orders).epsilon(1e-12));
    REQUIRE(share_of_orders_as_near(1.0 / 78.0, 13) == Approx(13.0 / orders).epsilon(1e-12));
    REQUIRE(share_of_orders_as_near(1.0, 13) == Approx(1.0).epsilon(1e-12));
    REQUIRE(share_of_orders_as_near(0.0, 1) == 1.0);
    REQUIRE(share_of_orders_as_near(1.5 / 78.0, 13) ==
            share_of_orders_as_near(1.0 / 78.0, 13));  // a tie
    REQUIRE_THROWS_WITH(share_of_orders_as_near(1.5, 5),
                        "tau distance: expected 0 to 1, got 1.500000");
    REQUIRE_THROWS(share_of_orders_as_near(std::nan(""), 5));
  }
  SECTION("stages are rounded half to even, then clipped to 0..B") {
    // 0.5 -> 0, 1.5 -> 2, 2.5 -> 2, -3 -> 0, 9 -> 4; errors 0, 0, 0, 1, 1.
    const std::vector<double> stages{0.5, 1.5, 2.5, -3.0, 9.0};
    const std::vector<int> true_stages{0, 2, 2, 1, 3};
    REQUIRE_THAT(stage_mae(stages, true_stages, 4), WithinAbs(2.0 / 5, 1e-15));
  }
  SECTION("scores are rescaled to the range of the true times") {
    // 10, 20, 40 -> 1, 1 + 2/3, 3 against 1, 2, 3: only the middle is off, by 1/3.
    REQUIRE_THAT(sequence_mae(std::vector{10.0, 20.0, 40.0}, std::vector{1.0, 2.0, 3.0}),
                 WithinAbs(1.0 / 9, 1e-15));
  }
  SECTION("sizes that do not belong together are refused, naming both") {
    REQUIRE_THROWS_WITH(tau_distance(std::vector{1.0}, truth),
                        "event scores: expected 4 values, got 1");
  }
}

TEST_CASE("truths fill the tenths of their posteriors", "[model][metrics]") {
  SECTION("a truth is spread over the probability of its value") {
    Calibration found;
    found.add(std::vector{0.25, 0.5, 0.25}, 1);  // from 0.25 to 0.75
    REQUIRE(found.truths == 1);
    REQUIRE(found.inside == Approx(1.0));
    REQUIRE(found.tenths[1] == 0.0);
    REQUIRE(found.tenths[2] == Approx(0.1));
    REQUIRE(found.tenths[5] == Approx(0.2));
    found.add(std::vector{0.25, 0.5, 0.25}, 2);  // from 0.75 to 1
    REQUIRE(found.inside == Approx(1.8));
    REQUIRE(found.tenths[9] == Approx(0.4));
  }
  SECTION("a value held impossible counts where it would be") {
    Calibration found;
    found.add(std::vector{0.0, 1.0}, 0);
    found.add(std::vector{0.5, 0.0, 0.5}, 1);
    found.add(std::vector{1.0, 0.0}, 1);
    REQUIRE(found.inside == 1.0);
    REQUIRE(found.tenths[0] == 1.0);
    REQUIRE(found.tenths[5] == 1.0);
    REQUIRE(found.tenths[9] == 1.0);
  }
  SECTION("truths drawn from their posteriors fill every tenth alike, within four errors") {
    // 40,000 truths; a tenth holds 4,000 with a standard error of at most 60.
    const std::vector<double> posterior{0.02, 0.6, 0.08, 0.3};
    RandomStream stream(1, "calibration");
    Calibration found;
    for (int i = 0; i < 40000; ++i) {
      double left = stream.uniform();
      std::size_t truth = 0;
      while (truth + 1 < posterior.size() && left >= posterior[truth]) left -= posterior[truth++];
      found.add(posterior, truth);
    }
    REQUIRE_THAT(found.inside, WithinAbs(36000.0, 240.0));
    for (const double tenth : found.tenths) REQUIRE_THAT(tenth, WithinAbs(4000.0, 240.0));
  }
  SECTION("sums") {
    Calibration a, b;
    a.add(std::vector{1.0}, 0);
    b.add(std::vector{0.5, 0.5}, 1);
    a.add(b);
    REQUIRE(a.truths == 2);
    REQUIRE(a.tenths[9] == Approx(0.3));
    REQUIRE(a.inside == Approx(1.8));
  }
  SECTION("a truth that the posterior does not have is refused") {
    Calibration found;
    REQUIRE_THROWS_WITH(found.add(std::vector{1.0}, 1),
                        "calibration: expected a posterior of 2 values or more, got 1");
  }
}

}  // namespace tempo::test
