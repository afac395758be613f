#include "analysis/consensus.hpp"

#include <algorithm>
#include <numeric>

#include "support.hpp"

namespace tempo::test {
namespace {

std::vector<std::size_t> biomarkers(const Consensus& consensus) {
  return {consensus.order.begin(), consensus.order.end()};
}

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t b = 0; b < count; ++b) out.push_back(std::to_string(100 + b));
  return out;
}

std::vector<std::vector<double>> random_rankings(std::size_t count, std::size_t B,
                                                 std::uint64_t seed) {
  auto random = stream(seed);
  std::vector<std::vector<double>> out(count, std::vector<double>(B));
  for (auto& ranking : out)
    for (auto& score : ranking) score = random.normal();
  return out;
}

}  // namespace

TEST_CASE("equal scores share their places", "[report][consensus]") {
  REQUIRE(shared_ranks(std::vector{3.0, 1.0, 3.0, 0.0}) == std::vector{3.5, 2.0, 3.5, 1.0});
  REQUIRE(shared_positions(std::vector{3.0, 1.0, 3.0, 0.0}) ==
          matrix({{0, 0, 0.5, 0.5}, {0, 1, 0, 0}, {0, 0, 0.5, 0.5}, {1, 0, 0, 0}}));
}

TEST_CASE("the distance of rankings counts pairs, a tie half", "[report][consensus]") {
  const std::vector<double> a{1, 2, 3, 4}, reversed{4, 3, 2, 1}, one_swap{2, 1, 3, 4},
      tied{1, 1, 3, 4}, flat{5, 5, 5, 5};
  REQUIRE(order_distance(a, a) == 0.0);
  REQUIRE(order_distance(a, reversed) == 1.0);
  REQUIRE(order_distance(a, one_swap) == Approx(1.0 / 6.0));
  REQUIRE(order_distance(a, tied) == Approx(0.5 / 6.0));
  REQUIRE(order_distance(a, flat) == 0.5);
  REQUIRE(order_distance(std::vector{1.0}, std::vector{1.0}) == 0.0);
}

TEST_CASE("Kendall's tau-b, Spearman's correlation and the intraclass correlation",
          "[report][consensus]") {
  const std::vector<double> a{1, 2, 3, 4}, tied{1, 1, 3, 4}, flat{5, 5, 5, 5};
  // Five of six pairs alike, one tied in one of them: 5 / sqrt(6 * 5).
  REQUIRE(*kendall_tau(a, tied) == Approx(5.0 / std::sqrt(30.0)));
  REQUIRE(*kendall_tau(tied, tied) == Approx(1.0));
  REQUIRE_FALSE(kendall_tau(a, flat));
  // Ranks 1.5, 1.5, 3, 4: xy = 4.5, xx = 5, yy = 4.5.
  REQUIRE(*spearman(a, tied) == Approx(4.5 / std::sqrt(5.0 * 4.5)));
  REQUIRE_FALSE(spearman(flat, a));
  // One rater a stage above the other: participants' mean square 2, raters' 3/2, nothing left over;
  // 2 / (2 + 2/3 * 3/2).
  REQUIRE(*absolute_agreement(std::vector<double>{1, 2, 3}, std::vector<double>{2, 3, 4}) ==
          Approx(2.0 / 3.0));
  REQUIRE(*absolute_agreement(a, a) == Approx(1.0));
  REQUIRE_FALSE(absolute_agreement(flat, flat));
  const std::vector<double> tenths(3, 0.1);  // their mean is not 0.1 in binary
  REQUIRE_FALSE(absolute_agreement(tenths, tenths));
  REQUIRE(*absolute_agreement(tenths, std::vector<double>(3, 0.3)) == Approx(0.0).margin(1e-12));
}

TEST_CASE("Kemeny's order is what most fits say of each pair, Borda's is by mean rank",
          "[report][consensus]") {
  // Three fits say a b c, two say b c a. Mean ranks: a 1.8, b 1.6, c 2.6; of each pair most agree
  // with a b c, which pays two pairs in two of five fits: 4 / 15.
  const std::vector<std::vector<double>> rankings{
      {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {3, 1, 2}, {3, 1, 2}};
  const auto borda = borda_order(rankings, names(3));
  const auto kemeny = kemeny_order(rankings, names(3));
  REQUIRE(biomarkers(borda) == std::vector<std::size_t>{1, 0, 2});
  REQUIRE(biomarkers(kemeny) == std::vector<std::size_t>{0, 1, 2});
  REQUIRE(kemeny.exact);
  REQUIRE(kemeny.mean_distance == Approx(4.0 / 15.0));
  REQUIRE(borda.mean_distance == Approx(5.0 / 15.0));
  REQUIRE(kemeny.distances[3] == Approx(2.0 / 3.0));
}

TEST_CASE("no order is nearer to the fits than Kemeny's", "[report][consensus]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto rankings = random_rankings(4, 5, seed);
    double least = 1.0;
    std::vector<double> places{1, 2, 3, 4, 5};
    do {
      double sum = 0.0;
      for (const auto& ranking : rankings) sum += order_distance(places, ranking);
      least = std::min(least, sum / 4.0);
    } while (std::next_permutation(places.begin(), places.end()));
    REQUIRE(kemeny_order(rankings, names(5)).mean_distance == Approx(least));
  }
}

TEST_CASE("a consensus does not depend on where a biomarker's column stands",
          "[report][consensus]") {
  // Four fits of five biomarkers: several Kemeny orders are equally near.
  const std::vector<std::size_t> columns{3, 0, 4, 1, 2};
  const auto moved_to = [&](const auto& values) {
    auto out = values;
    for (std::size_t i = 0; i < columns.size(); ++i) out[i] = values[columns[i]];
    return out;
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto rankings = random_rankings(4, 5, seed);
    auto moved = rankings;
    for (auto& ranking : moved) ranking = moved_to(ranking);
    const auto order = biomarkers(kemeny_order(rankings, names(5)));
    auto back = biomarkers(kemeny_order(moved, moved_to(names(5))));
    for (auto& biomarker : back) biomarker = columns[biomarker];
    REQUIRE(back == order);
  }
}

TEST_CASE("of equally near orders Kemeny's has the latest by Borda last", "[report][consensus]") {
  // A cycle of three fits: a b c, b c a and c a b are equally near, mean ranks are all 2, and by
  // name c is Borda's last.
  const std::vector<std::vector<double>> cycle{{1, 2, 3}, {3, 1, 2}, {2, 3, 1}};
  REQUIRE(biomarkers(kemeny_order(cycle, names(3))) == std::vector<std::size_t>{0, 1, 2});
  REQUIRE(biomarkers(kemeny_order(cycle, {"3", "2", "1"})) == std::vector<std::size_t>{1, 2, 0});
}

TEST_CASE("with many biomarkers Kemeny's order is searched from Borda's", "[report][consensus]") {
  const std::size_t B = kExactBiomarkers + 4;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto rankings = random_rankings(5, B, seed);
    const auto kemeny = kemeny_order(rankings, names(B));
    REQUIRE_FALSE(kemeny.exact);
    REQUIRE(kemeny.mean_distance <= borda_order(rankings, names(B)).mean_distance);
    for (std::size_t from = 0; from < B; ++from)  // what the header promises
      for (std::size_t to = 0; to < B; ++to) {
        auto order = biomarkers(kemeny);
        const auto biomarker = order[from];
        order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), biomarker);
        const auto ranks = ranks_of(Sequence(order));
        const std::vector<double> places(ranks.begin(), ranks.end());
        double sum = 0.0;
        for (const auto& ranking : rankings) sum += order_distance(places, ranking);
        REQUIRE(sum / 5.0 >= kemeny.mean_distance - 1e-12);
      }
  }
}

}  // namespace tempo::test
