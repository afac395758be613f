#include "tempo/random_stream.hpp"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "statistics.hpp"
#include "support.hpp"

namespace tempo::test {
using Catch::Matchers::WithinAbs;

template <class Draw>
std::vector<double> draws(std::size_t count, std::uint64_t seed, Draw draw) {
  auto random = stream(seed);
  std::vector<double> out(count);
  for (auto& value : out) value = draw(random);
  return out;
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

TEST_CASE("a random stream is a function of its name", "[model][random]") {
  const auto first_word = [](RandomStream random) { return random(); };

  SECTION("pinned: whoever changes a stream changes every published number") {
    RandomStream random(1234, "test", "h1", 7);
    REQUIRE(random() == 0x27f0455fff89e749);
    REQUIRE(random() == 0x6bbf508a9bf2440e);
    REQUIRE(random.substream("part", 3)() == 0xb83776a58beb9205);
    REQUIRE(random.uniform() == 0.51594356089234494);
    REQUIRE(random.normal() == -0.27180423145579247);
    REQUIRE(random.exponential() == 1.0479996554706326);
    REQUIRE(random.gamma(2.5) == 1.5525130758738057);
    REQUIRE(random.logistic() == -1.6294168419612332);
    REQUIRE(random.index(1000) == 957);
  }
  SECTION("every part of the name counts, and no two names run together") {
    const std::set<std::uint64_t> words{
        first_word({1, "a", "b", 0}),  first_word({2, "a", "b", 0}), first_word({1, "c", "b", 0}),
        first_word({1, "a", "c", 0}),  first_word({1, "a", "b", 1}), first_word({1, "ab", "", 0}),
        first_word({11, "a", "b", 0}), first_word({1, "", "ab", 0})};
    REQUIRE(words.size() == 8);
  }
  SECTION("a substream does not depend on what was drawn before, nor does it change the stream") {
    RandomStream used(1, "a");
    const auto fresh = used.substream("part");
    for (int i = 0; i < 100; ++i) used();
    REQUIRE(first_word(used.substream("part")) == first_word(fresh));
    REQUIRE(first_word(used.substream("part", 1)) != first_word(fresh));
    REQUIRE(first_word(used.substream("other")) != first_word(fresh));
  }
  SECTION("neighbouring streams are uncorrelated") {
    // The mean of n products of independent N(0, 1) has standard deviation 1 / sqrt(n).
    RandomStream a(1, "a", "h1", 0);
    RandomStream b(1, "a", "h1", 1);
    const std::size_t n = 100000;
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += a.normal() * b.normal();
    REQUIRE(mean_p_value(sum / static_cast<double>(n), n, 0.0, 1.0) > kRarely);
  }
  SECTION("many normals are the same as one at a time, wherever a refill falls") {
    auto one_by_one = stream(5);
    auto at_once = stream(5);
    std::vector<double> values(1000);
    for (const std::size_t length : {1u, 63u, 64u, 65u, 200u}) {
      at_once.normals(std::span(values).first(length));
      for (std::size_t i = 0; i < length; ++i) REQUIRE(values[i] == one_by_one.normal());
    }
    REQUIRE(at_once() == one_by_one());
  }
}

TEST_CASE("laws of a random stream", "[model][random]") {
  constexpr std::size_t n = 200000;

  SECTION("uniform values keep clear of 0 and 1 and are symmetric about 1/2") {
    STATIC_REQUIRE(RandomStream::to_unit_interval(0) == 0x1p-53);
    STATIC_REQUIRE(RandomStream::to_unit_interval(~0ull) == 1.0 - 0x1p-53);
    const auto values = draws(n, 1, [](auto& random) { return random.uniform(); });
    REQUIRE(ks_p_value(values, [](double x) { return x; }) > kRarely);
  }
  SECTION("normal") {
    std::vector<double> values(2000000);
    stream(2).normals(values);
    REQUIRE(ks_p_value(values, normal_cdf) > kRarely);
    // E x^4 = 3 and Var x^4 = 105 - 9.
    std::vector<double> fourth_powers;
    for (const double x : values) fourth_powers.push_back(x * x * x * x);
    REQUIRE(mean_p_value(mean(fourth_powers), values.size(), 3.0, std::sqrt(96.0)) > kRarely);
    // Beyond 3.654 (once in 3900 draws) the ziggurat takes another road.
    const double start = 3.6541528853610088;
    const double outside = normal_cdf(-start);
    std::vector<double> tail;
    for (const double x : values)
      if (std::abs(x) > start) tail.push_back(std::abs(x));
    REQUIRE(mean_p_value(static_cast<double>(tail.size()) / static_cast<double>(values.size()),
                         values.size(), 2.0 * outside,
                         std::sqrt(2.0 * outside * (1.0 - 2.0 * outside))) > kRarely);
    REQUIRE(ks_p_value(tail, [=](double x) { return 1.0 - normal_cdf(-x) / outside; }) > kRarely);
  }
  SECTION("exponential and logistic") {
    const auto waits = draws(n, 3, [](auto& random) { return random.exponential(); });
    REQUIRE(ks_p_value(waits, [](double x) { return 1.0 - std::exp(-x); }) > kRarely);
    const auto values = draws(n, 4, [](auto& random) { return random.logistic(); });
    REQUIRE(ks_p_value(values, [](double x) { return 1.0 / (1.0 + std::exp(-x)); }) > kRarely);
  }
  SECTION("gamma, for shapes on either side of 1") {
    const double shape = GENERATE(0.05, 0.35, 1.0, 1.5, 4.25, 100.0);
    const boost::math::gamma_distribution<> law(shape);
    const auto values = draws(n, 5, [=](auto& random) { return random.gamma(shape); });
    REQUIRE(ks_p_value(values, [&](double x) { return cdf(law, x); }) > kRarely);
  }
  SECTION("beta, for shapes on either side of 1") {
    const auto [alpha, beta] =
        GENERATE(table<double, double>({{5, 2}, {2, 2}, {0.5, 0.5}, {0.3, 4}, {1, 1}}));
    const boost::math::beta_distribution<> law(alpha, beta);
    const auto values =
        draws(n, 6, [a = alpha, b = beta](auto& random) { return random.beta(a, b); });
    REQUIRE(ks_p_value(values, [&](double x) { return cdf(law, x); }) > kRarely);
  }
  SECTION("tiny shapes, whose gammas are all below the smallest double, still give probabilities") {
    auto random = stream(7);
    for (int i = 0; i < 1000; ++i) {
      const auto p = random.dirichlet(std::vector(5, 1e-5));
      REQUIRE_THAT(std::accumulate(p.begin(), p.end(), 0.0), WithinAbs(1.0, 1e-12));
      REQUIRE(random.beta(1e-5, 1e-5) >= 0.0);
    }
  }
  SECTION("Dirichlet: mean alpha_i / A, variance m (1 - m) / (A + 1)") {
    const std::vector<double> alpha{0.35, 1.0, 4.25};
    const double total = 5.6;
    auto random = stream(8);
    std::vector<std::vector<double>> parts(3);
    for (int i = 0; i < 20000; ++i) {
      const auto p = random.dirichlet(alpha);
      for (std::size_t k = 0; k < 3; ++k) parts[k].push_back(p[k]);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const boost::math::beta_distribution<> law(alpha[k],
                                                 total - alpha[k]);  // a part alone is Beta
      REQUIRE(ks_p_value(parts[k], [&](double x) { return cdf(law, x); }) > kRarely);
    }
  }
  SECTION("an index has every value with equal chance, a category with its own") {
    auto random = stream(9);
    const std::vector<double> probabilities{0.5, 0.0, 0.3, 0.2};
    std::vector<double> indices(7);
    std::vector<double> categories(4);
    for (std::size_t i = 0; i < n; ++i) {
      ++indices[random.index(7)];
      ++categories[random.categorical(probabilities)];
    }
    REQUIRE(chi_square_p_value(indices, std::vector(7, 1.0)) > kRarely);
    REQUIRE(categories[1] == 0.0);
    REQUIRE(chi_square_p_value(std::vector{categories[0], categories[2], categories[3]},
                               std::vector{0.5, 0.3, 0.2}) > kRarely);
    REQUIRE(random.index(1) == 0);
    // Of 2^64 / (3 * 2^62) = 4/3 intervals the surplus third must be drawn again: without that, the
    // lower third of the range would come up half the time.
    const std::size_t large = std::size_t{3} << 62;
    std::vector<double> thirds(3);
    for (int i = 0; i < 30000; ++i) ++thirds[random.index(large) >> 62];
    REQUIRE(chi_square_p_value(thirds, std::vector(3, 1.0)) > kRarely);
  }
  SECTION("all 24 orders of four are equally likely") {
    auto random = stream(10);
    std::map<std::vector<std::size_t>, double> seen;
    for (int i = 0; i < 24000; ++i) ++seen[random.permutation(4)];
    REQUIRE(seen.size() == 24);
    std::vector<double> counts;
    for (const auto& [order, count] : seen) counts.push_back(count);
    REQUIRE(chi_square_p_value(counts, std::vector(24, 1.0)) > kRarely);
  }
}

}  // namespace tempo::test
