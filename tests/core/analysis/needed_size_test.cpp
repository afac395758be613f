#include "analysis/needed_size.hpp"

#include <cmath>
#include <functional>

#include "support.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::test {
namespace {

constexpr SizeDemand kDemand{.from = 50, .to = 5000, .certainty = 0.8, .within = 0.1};

/// What a search finds that spends a number of cohorts on a curve of shares.
struct Searched {
  NeededSize needed;
  std::size_t cohorts = 0;
};

Searched search(const std::function<double(double)>& share, std::uint64_t seed) {
  constexpr std::size_t kBatch = 16, kMost = 1600;
  constexpr double kRatio = 1.21;
  RandomStream stream(seed, "needed size");
  NeededSizeSearch search(kDemand);
  Searched out;
  do {
    SizeTrial trial{search.next(), kBatch, 0};
    const double p = share(static_cast<double>(trial.participants));
    for (std::size_t i = 0; i < kBatch; ++i) trial.met += stream.uniform() < p ? 1 : 0;
    search.add(trial);
    out.needed = search.needed();
    out.cohorts += kBatch;
  } while (out.cohorts < kMost && !(out.needed.high / out.needed.low <= kRatio));
  return out;
}

/// A normal's distribution function in log J: not the curve that the search takes shares to follow.
std::function<double(double)> rising(double half, double steepness) {
  return [=](double size) {
    return 0.5 * std::erfc(-steepness * std::log(size / half) / std::sqrt(2.0));
  };
}

}  // namespace

TEST_CASE("the size that is enough is found on a curve of another shape", "[analysis][power]") {
  const auto share = rising(400.0, 2.0);
  const double truth = 400.0 * std::exp(0.8416212335729143 / 2.0);  // the 80 % point of a normal
  REQUIRE(share(truth) == Approx(0.8));
  std::size_t inside = 0, cohorts = 0;
  constexpr std::size_t kSearches = 10;
  for (std::uint64_t seed = 1; seed <= kSearches; ++seed) {
    const auto [needed, spent] = search(share, seed);
    INFO(needed.participants << ": " << needed.low << " to " << needed.high);
    REQUIRE(std::abs(std::log(needed.participants / truth)) < 0.2);
    inside += needed.low <= truth && truth <= needed.high ? 1 : 0;
    cohorts += spent;
  }
  // Of ten 95 % intervals fewer than seven hold the truth once in a thousand.
  REQUIRE(inside >= 7);
  // At the 80 % point itself n cohorts give an sd of sqrt(0.16 / n) / (0.28 * 2): 0.048 takes 220.
  REQUIRE(cohorts < kSearches * 700);
}

TEST_CASE("cohorts go to where the answer is decided", "[analysis][power]") {
  NeededSizeSearch search(kDemand);
  search.add({100, 60, 2});
  search.add({1000, 60, 58});
  const auto next = search.next();
  REQUIRE(next > 120);
  REQUIRE(next < 900);
}

TEST_CASE("answers beyond the sizes are told from those among them", "[analysis][power]") {
  const auto verdict = [](const std::function<double(double)>& share) {
    return verdict_on(search(share, 1).needed, kDemand);
  };
  REQUIRE(verdict(rising(60'000.0, 3.0)) == SizeVerdict::beyond);
  REQUIRE(verdict(rising(5.0, 3.0)) == SizeVerdict::below);
  REQUIRE(verdict(rising(400.0, 2.0)) == SizeVerdict::found);
  // One that levels off below the certainty is enough at none of the sizes.
  REQUIRE(verdict([](double size) { return 0.5 * rising(200.0, 3.0)(size); }) ==
          SizeVerdict::beyond);
  REQUIRE(verdict_on({.participants = 9e9, .low = 300.0, .high = 9e9, .reached = 0.01}, kDemand) ==
          SizeVerdict::never);
  REQUIRE(verdict_on({.participants = 300.0, .low = 200.0, .high = 400.0}, kDemand) ==
          SizeVerdict::open);
}

TEST_CASE("shares rise with participants, and their intervals narrow with cohorts",
          "[analysis][power]") {
  NeededSizeSearch search(kDemand);
  search.add({300, 20, 10});
  const auto wide = search.share_at(300);
  REQUIRE(search.share_at(100).mean < wide.mean);
  REQUIRE(wide.mean < search.share_at(900).mean);
  search.add({300, 180, 90});
  const auto narrow = search.share_at(300);
  REQUIRE(narrow.mean == Approx(0.5).margin(0.05));
  REQUIRE(narrow.high - narrow.low < 0.5 * (wide.high - wide.low));
}

}  // namespace tempo::test
