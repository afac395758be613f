// The pass written by hand: its gradient, against differences of the loss.

#include <cmath>

#include "generalist_pass.hpp"
#include "posteriors.hpp"
#include "support.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::amortised {
namespace {

/// A cohort of steps and bumps with cells missing, stages and an order.
SimulatedCohort some_cohort(std::size_t J, std::size_t B, RandomStream draw) {
  SimulatedCohort out;
  auto& [cohort, truth] = out;
  cohort.measurements = Matrix(J, B);
  std::vector<std::size_t> ranks;
  for (const auto r : draw.permutation(B)) ranks.push_back(r + 1);
  truth.event_ranks = Ranks(ranks);
  for (const auto r : ranks) truth.event_times.push_back(static_cast<double>(r));
  for (std::size_t b = 0; b < B; ++b) cohort.biomarkers.push_back("b" + std::to_string(b));
  for (std::size_t j = 0; j < J; ++j) {
    cohort.participants.push_back("p" + std::to_string(j));
    cohort.diseased.push_back(j % 3 == 0 ? 0 : 1);
    const auto stage = j % 3 == 0 ? 0 : 1 + draw.index(B);
    truth.ordinal_stages.push_back(static_cast<int>(stage));
    for (std::size_t b = 0; b < B; ++b) {
      const double x = draw.normal() + (ranks[b] <= stage ? 2.0 : 0.0);
      cohort.measurements(j, b) = draw.uniform() < 0.1 ? std::nan("")
                                  : b == 0             ? std::min(x, 1.5)
                                                       : x;
    }
  }
  return out;
}

TEST_CASE("the gradient written by hand is that of the loss", "[generalist][gradient]") {
  const GeneralistShape shape;
  const auto initial = initial_values(shape.layout, RandomStream(/*seed=*/1, "weights"));
  std::vector<double> weights(initial.begin(), initial.end());
  for (const std::size_t B : {5, 23, 26}) {  // fewer stages than slots, as many, more
    std::vector<PreparedCohort> cohorts;
    for (std::size_t s = 0; s < 3; ++s) {
      auto drawn = some_cohort(20 + 10 * s, B, RandomStream(/*seed=*/2, "cohort", {}, s));
      if (s == 1) drawn.cohort.diseased.clear();
      cohorts.push_back(prepare(drawn));
    }
    std::vector<double> gradient(weights.size(), 0.0);
    const double loss =
        generalist_loss<double>(shape, weights.data(), cohorts, 1.0, gradient.data());
    REQUIRE(std::isfinite(loss));
    // Of each tensor, along a random direction: all of its numbers are looked at at once.
    std::size_t begin = 0;
    for (const auto& weight : shape.layout) {
      const auto count = value_count(weight);
      RandomStream draw(/*seed=*/3, "direction", weight.name);
      std::vector<double> direction(count);
      draw.normals(direction);
      double length = 0.0, expected = 0.0, norm = 0.0;
      for (const double d : direction) length += d * d;
      for (std::size_t i = 0; i < count; ++i) {
        direction[i] /= std::sqrt(length);
        expected += direction[i] * gradient[begin + i];
        norm += gradient[begin + i] * gradient[begin + i];
      }
      const auto at = [&](double step) {
        auto moved = weights;
        for (std::size_t i = 0; i < count; ++i) moved[begin + i] += step * direction[i];
        return generalist_loss<double>(shape, moved.data(), cohorts, 1.0, nullptr);
      };
      constexpr double kStep = 1e-6;
      const double found = (at(kStep) - at(-kStep)) / (2.0 * kStep);
      INFO(weight.name << " B " << B << " norm " << std::sqrt(norm));
      REQUIRE(norm > 0.0);
      REQUIRE(std::abs(found - expected) <= 1e-5 * std::sqrt(norm));
      begin += count;
    }
  }
}

TEST_CASE("cohorts do not disturb each other in a pass", "[generalist]") {
  const GeneralistShape shape;
  const auto weights = initial_values(shape.layout, RandomStream(/*seed=*/1, "weights"));
  std::vector<PreparedCohort> cohorts;
  for (std::size_t s = 0; s < 3; ++s) {
    auto drawn = some_cohort(20 + 10 * s, 7, RandomStream(/*seed=*/2, "cohort", {}, s));
    if (s == 1) drawn.cohort.diseased.clear();
    cohorts.push_back(prepare(drawn));
  }
  const auto together =
      generalist_answers(shape, weights.data(), std::span<const PreparedCohort>(cohorts));
  for (std::size_t s = 0; s < 3; ++s) {
    const auto alone = generalist_answers(shape, weights.data(),
                                          std::span<const PreparedCohort>(&cohorts[s], 1))[0];
    for (std::size_t b = 0; b < 7; ++b)
      REQUIRE(together[s].scores[b] == Approx(alone.scores[b]).margin(1e-5));
    for (std::size_t i = 0; i < alone.stage_posterior.size(); ++i)
      REQUIRE(together[s].stage_posterior[i] == Approx(alone.stage_posterior[i]).margin(1e-5));
  }
}

TEST_CASE("posteriors of ranks and stages", "[generalist]") {
  RandomStream draw(/*seed=*/1, "ranks");
  const std::vector<double> scores = {0.2, 0.1, 0.9}, sds = {1e-6, 1e-6, 1e-6};
  const auto sure = rank_posterior(scores, sds, draw);
  REQUIRE(sure(0, 1) == Approx(1.0));
  REQUIRE(sure(1, 0) == Approx(1.0));
  REQUIRE(sure(2, 2) == Approx(1.0));
  // Of two equal scores each is first in half of 1,000 orders: 0.5 with a standard error of 0.016.
  const auto open = rank_posterior(std::vector{0.5, 0.5}, std::vector{0.1, 0.1}, draw);
  REQUIRE(open(0, 0) == Approx(0.5).margin(0.08));
  REQUIRE(open(0, 0) + open(0, 1) == Approx(1.0));
  REQUIRE(median_stages({0.5, 0.3, 0.2, 0.1, 0.3, 0.6, 0.0, 0.0, 1.0}, 3) ==
          std::vector{0.0, 2.0, 2.0});
}

}  // namespace
}  // namespace tempo::amortised
