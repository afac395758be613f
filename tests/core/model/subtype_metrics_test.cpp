#include "model/subtype_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support.hpp"
#include "tempo/error.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinULP;
using Labels = std::vector<std::size_t>;

/// A progression whose event times are its ranks.
Progression progression(const std::vector<std::size_t>& ranks) {
  return {{ranks.begin(), ranks.end()}, Ranks(ranks)};
}

/// The least cost over all ways to give each row a column of its own.
double least_cost_by_trying(const Matrix& cost) {
  Labels columns(cost.cols());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  double least = std::numeric_limits<double>::infinity();
  do {
    double sum = 0.0;
    for (std::size_t row = 0; row < cost.rows(); ++row) sum += cost(row, columns[row]);
    least = std::min(least, sum);
  } while (std::next_permutation(columns.begin(), columns.end()));
  return least;
}

}  // namespace

TEST_CASE("the assignment of least cost", "[model][metrics][subtypes]") {
  SECTION("takes no row's best column where that costs others more") {
    // Greedily 1 + 10; crosswise 2 + 3.
    REQUIRE(least_assignment(matrix({{1, 2}, {3, 10}})) == Labels{1, 0});
  }
  SECTION("is the best of all there are, square or with columns to spare, of either sign") {
    auto random = stream(11);
    for (const auto& [rows, columns] : {std::pair(5, 5), {4, 6}, {1, 3}, {6, 6}}) {
      Matrix cost(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
      for (double& value : cost.values()) value = std::floor(10.0 * random.uniform()) - 3.0;
      const auto found = least_assignment(cost);
      double sum = 0.0;
      for (std::size_t row = 0; row < cost.rows(); ++row) sum += cost(row, found[row]);
      REQUIRE(sum == least_cost_by_trying(cost));
      auto distinct = found;
      std::sort(distinct.begin(), distinct.end());
      REQUIRE(std::adjacent_find(distinct.begin(), distinct.end()) == distinct.end());
    }
  }
  SECTION("needs a column for every row") {
    REQUIRE_THROWS_WITH(least_assignment(Matrix(2, 1)),
                        "assignment: expected at least as many columns as rows, got [2, 1]");
  }
}

TEST_CASE("the matched tau distance", "[model][metrics][subtypes]") {
  const std::vector<Progression> truth{progression({1, 2, 3, 4}), progression({4, 3, 2, 1})};

  SECTION("is 0 for the true orders however they are numbered") {
    REQUIRE(matched_tau_distance(matrix({{1, 2, 3, 4}, {4, 3, 2, 1}}), truth) == 0.0);
    REQUIRE(matched_tau_distance(matrix({{0.4, 0.3, 0.2, 0.1}, {5, 6, 7, 8}}), truth) == 0.0);
  }
  SECTION("is the mean of the pairs that fit best") {
    // One pair of neighbours exchanged in the first, two in the second: (1/6 + 2/6) / 2.
    REQUIRE_THAT(matched_tau_distance(matrix({{3, 4, 1, 2}, {2, 1, 3, 4}}), truth),
                 WithinULP((2.0 / 6.0 + 1.0 / 6.0) / 2.0, 2));
  }
  SECTION("takes one order for every subtype where one was found") {
    const auto scores = matrix({{1, 2, 4, 3}});
    REQUIRE_THAT(matched_tau_distance(scores, truth), WithinULP((1.0 / 6.0 + 5.0 / 6.0) / 2.0, 2));
    const std::vector<Progression> one{truth[0]};
    REQUIRE(matched_tau_distance(scores, one) == tau_distance(scores.row(0), one[0].event_ranks));
  }
  SECTION("lets each of two orders serve twice among three or four subtypes") {
    // Both of the true orders 1234 would take the same found one, and may.
    const std::vector<Progression> three{truth[0], truth[0], truth[1]};
    REQUIRE(matched_tau_distance(matrix({{1, 2, 3, 4}, {4, 3, 2, 1}}), three) == 0.0);
    // A third may not: one of them has to take the reverse.
    const std::vector<Progression> four{truth[0], truth[0], truth[0], truth[1]};
    REQUIRE(matched_tau_distance(matrix({{1, 2, 3, 4}, {4, 3, 2, 1}}), four) == 0.25);
  }
  SECTION("leaves aside what was found too many") {
    REQUIRE(matched_tau_distance(matrix({{1, 3, 2, 4}, {4, 3, 2, 1}, {1, 2, 3, 4}}), truth) == 0.0);
  }
  SECTION("is not defined without orders") {
    REQUIRE_THROWS_AS(matched_tau_distance(Matrix(0, 4), truth), ShapeError);
    REQUIRE_THROWS_AS(matched_tau_distance(Matrix(1, 3), truth), ShapeError);
  }
}

TEST_CASE("the assigned tau distance ties orders to people", "[model][metrics][subtypes]") {
  const TrueSubtypes truth{{progression({1, 2, 3}), progression({3, 2, 1})}, {0, 0, 0, 1, -1}};
  const auto scores = matrix({{3, 2, 1}, {1, 2, 3}});
  SECTION("right orders in the right people, numbered otherwise") {
    REQUIRE(assigned_tau_distance(scores, Labels{1, 1, 1, 0, 0}, truth) == 0.0);
  }
  SECTION("right orders in the wrong people count by people; the healthy do not") {
    REQUIRE(assigned_tau_distance(scores, Labels{1, 1, 0, 0, 1}, truth) == 0.25);
    REQUIRE(assigned_tau_distance(scores, Labels{0, 0, 0, 1, 1}, truth) == 1.0);
  }
  SECTION("one order for all") {
    REQUIRE(assigned_tau_distance(matrix({{1, 2, 3}}), Labels(5, 0), truth) == 0.25);
  }
  SECTION("nobody is diseased") {
    const TrueSubtypes nobody{truth.progressions, {-1, -1}};
    REQUIRE(std::isnan(assigned_tau_distance(scores, Labels{0, 1}, nobody)));
  }
}

TEST_CASE("the adjusted Rand index", "[model][metrics][subtypes]") {
  SECTION("is 1 for the same partition whatever its names") {
    REQUIRE(adjusted_rand_index(Labels{0, 0, 1, 2, 2}, Labels{7, 7, 3, 1, 1}) == 1.0);
  }
  SECTION("by hand: (1 * 6 - 2 * 1) / (1.5 * 6 - 2 * 1)") {
    REQUIRE_THAT(adjusted_rand_index(Labels{0, 0, 1, 2}, Labels{0, 0, 1, 1}),
                 WithinULP(4.0 / 7.0, 1));
  }
  SECTION("is below 0 for less agreement than by chance: (0 - 4) / (12 - 4)") {
    REQUIRE(adjusted_rand_index(Labels{0, 1, 0, 1}, Labels{0, 0, 1, 1}) == -0.5);
  }
  SECTION("is 0 for a partition without content, and 1 where neither had a choice") {
    REQUIRE(adjusted_rand_index(Labels{0, 0, 0, 0}, Labels{0, 0, 1, 1}) == 0.0);
    REQUIRE(adjusted_rand_index(Labels{0, 0}, Labels{1, 1}) == 1.0);
    REQUIRE(adjusted_rand_index(Labels{0, 1}, Labels{1, 0}) == 1.0);
  }
  SECTION("is 0 on average over all ways to give the same groups other members") {
    const Labels truth{0, 0, 0, 1, 1, 2, 2};
    Labels found{0, 0, 1, 1, 1, 1, 2};
    double sum = 0.0;
    do sum += adjusted_rand_index(found, truth);
    while (std::next_permutation(found.begin(), found.end()));
    REQUIRE_THAT(sum, WithinAbs(0.0, 1e-11));
  }
  SECTION("takes partitions of the same items") {
    REQUIRE_THROWS_AS(adjusted_rand_index(Labels{0}, Labels{0, 1}), ShapeError);
  }
}

TEST_CASE("the subtype score is over the diseased", "[model][metrics][subtypes]") {
  const std::vector<Progression> two{progression({1, 2}), progression({2, 1})};
  REQUIRE(subtype_score(Labels{0, 1, 1, 0}, {two, {-1, 0, 0, 1}}) == 1.0);
  REQUIRE(std::isnan(subtype_score(Labels{0, 1}, {{two[0]}, {0, 0}})));
  REQUIRE(std::isnan(subtype_score(Labels{0, 1}, {two, {0, -1}})));
  REQUIRE(most_probable(matrix({{0.2, 0.8}, {0.5, 0.5}})) == Labels{1, 0});
}

TEST_CASE("what guessing subtypes is worth", "[model][metrics][subtypes]") {
  Truth truth;
  truth.event_ranks = Ranks({1, 2, 3});
  truth.ordinal_stages = {0, 1, 3};
  truth.subtypes = TrueSubtypes{{progression({1, 2, 3}), progression({2, 1, 3})}, {-1, 0, 1}};
  auto random = stream(3);
  const auto chance = subtype_chance(truth, 20000, random);

  SECTION("matched distance: the mean over all 36 pairs of orders") {
    std::vector<std::vector<double>> orders;
    std::vector<double> order{1, 2, 3};
    do orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
    double sum = 0.0;
    for (const auto& a : orders)
      for (const auto& b : orders)
        sum += matched_tau_distance(matrix({{a[0], a[1], a[2]}, {b[0], b[1], b[2]}}),
                                    truth.subtypes->progressions);
    // An sd of at most 1/2 over 20000 draws; five standard errors.
    REQUIRE_THAT(chance.matched_tau_distance, WithinAbs(sum / 36.0, 5.0 * 0.5 / std::sqrt(20000)));
  }
  SECTION("staging: over all stages a participant may be given") {
    // |k - y| over k = 0..3: y = 0: 6, y = 1: 1 + 0 + 1 + 2 = 4, y = 3: 6; a quarter each.
    REQUIRE_THAT(chance.stage_mae, WithinULP((6.0 + 4.0 + 6.0) / 4.0 / 3.0, 2));
  }
  SECTION("what is exact whatever the truth") {
    REQUIRE(chance.assigned_tau_distance == 0.5);
    REQUIRE(chance.subtype_score == 0.0);
  }
  SECTION("the number of subtypes, guessed from 1..5") {
    REQUIRE(subtype_number_chance(3, 5).share_right == 0.2);
    REQUIRE(subtype_number_chance(3, 5).mean_error == 0.0);
    REQUIRE(subtype_number_chance(1, 5).mean_error == 2.0);
    REQUIRE(subtype_number_chance(6, 5).share_right == 0.0);
    REQUIRE_THROWS_AS(subtype_number_chance(0, 5), ShapeError);
  }
  SECTION("there is none without subtypes") {
    truth.subtypes.reset();
    REQUIRE_THROWS_AS(subtype_chance(truth, 10, random), ShapeError);
  }
}

TEST_CASE("the consensus of progressions counts participants", "[model][subtypes]") {
  const TrueSubtypes subtypes{{progression({1, 2, 3}), progression({3, 1, 2})}, {0, 0, 1, -1}};
  // Mean ranks 5/3, 5/3, 8/3: the tie is as in the first progression.
  const auto ranks = consensus_of(subtypes, /*has_times=*/false);
  REQUIRE(ranks.event_ranks == Ranks({1, 2, 3}));
  const TrueSubtypes exchanged{{progression({3, 1, 2}), progression({1, 2, 3})}, {1, 1, 0, -1}};
  REQUIRE(consensus_of(exchanged, /*has_times=*/false).event_ranks == Ranks({2, 1, 3}));
  REQUIRE(ranks.event_times == std::vector<double>{1, 2, 3});
  const auto times = consensus_of(subtypes, /*has_times=*/true);
  REQUIRE_THAT(times.event_times[2], WithinULP(8.0 / 3.0, 1));
  REQUIRE_THROWS_AS(consensus_of({subtypes.progressions, {-1, -1}}, false), ShapeError);
}

}  // namespace tempo::test
