#include <cmath>

#include "method_support.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {

TEST_CASE("chance puts every order and stage at equal odds", "[chance]") {
  constexpr std::size_t kFits = 1200;
  const auto chance = method("chance", {});
  auto [cohort, truth] = simulated(1);
  cohort.diseased.clear();  // it declares to use no labels, and gets none
  const auto B = cohort.biomarker_count(), J = cohort.participant_count();
  double distance = 0.0;
  std::vector<std::size_t> firsts(B), stages(B + 1);
  for (std::uint64_t seed = 0; seed < kFits; ++seed) {
    auto draw = stream(seed);
    const auto found = chance->fit(cohort, draw);
    distance += tau_distance(found.event_scores, truth.event_ranks) / kFits;
    for (std::size_t b = 0; b < B; ++b)
      if (found.event_scores[b] == 0.0) ++firsts[b];
    for (const double stage : found.stages) ++stages[static_cast<std::size_t>(stage)];
  }
  // Kendall's distance of a random order has mean 1/2 and variance (2B + 5) / (18 B (B - 1)).
  const double b = static_cast<double>(B);
  const double error = std::sqrt((2 * b + 5) / (18 * b * (b - 1)) / kFits);
  REQUIRE(std::abs(distance - 0.5) < 4.0 * error);
  const auto within = [](std::size_t count, double trials, double share) {
    return std::abs(static_cast<double>(count) - trials * share) <
           4.5 * std::sqrt(trials * share * (1.0 - share));
  };
  for (const auto count : firsts) REQUIRE(within(count, kFits, 1.0 / b));
  for (const auto count : stages)
    REQUIRE(within(count, static_cast<double>(kFits * J), 1.0 / (b + 1.0)));
}

}  // namespace tempo::test
