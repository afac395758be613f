// What holds for every stage prior. A new one adds its name.

#include <cmath>

#include "prior_support.hpp"

namespace tempo::test {

TEST_CASE("every stage prior", "[stage_prior]") {
  const auto id = GENERATE(as<std::string>(), "beta", "dirichlet_multinomial", "uniform");
  CAPTURE(id);
  const auto prior = shipped().stage_prior(part(id));

  SECTION("the same stream gives the same stages, another one others") {
    REQUIRE(stages(*prior, 12, 574, stream(1)) == stages(*prior, 12, 574, stream(1)));
    REQUIRE(stages(*prior, 12, 574, stream(1)) != stages(*prior, 12, 574, stream(2)));
  }
  SECTION(
      "stages lie in (0, B], whole ones in 1..B, and with one stage everybody is at it or before") {
    for (const std::size_t B : {1, 2, 3, 12, 100}) {
      const auto k = stages(*prior, B, 2000, stream(3));
      for (const double stage : k) {
        REQUIRE(stage > 0.0);
        REQUIRE(stage <= static_cast<double>(B));
        if (prior->scale() == StageScale::ordinal) REQUIRE(stage == std::floor(stage));
      }
    }
  }
  SECTION("the law it states is that of its draws") {
    const std::size_t B = 5, cohorts = 4000;
    if (const auto* law = prior->ordinal_law()) {
      const auto alpha = law->concentrations(B);
      // The share of stage k over cohorts has mean alpha_k / sum; one participant a cohort.
      double total = 0.0;
      for (const double value : alpha) total += value;
      std::vector<double> counts(B);
      for (std::size_t c = 0; c < cohorts; ++c)
        ++counts[static_cast<std::size_t>(stages(*prior, B, 1, stream(100 + c))[0]) - 1];
      REQUIRE(chi_square_p_value(counts, alpha) > kRarely);
      // Two participants of one cohort share a stage more often than strangers do:
      // P(same) = sum alpha_k (alpha_k + 1) / (total (total + 1)).
      double same = 0.0, expected = 0.0;
      for (const double value : alpha) expected += value * (value + 1.0) / (total * (total + 1.0));
      for (std::size_t c = 0; c < cohorts; ++c) {
        const auto pair = stages(*prior, B, 2, stream(9000 + c));
        if (pair[0] == pair[1]) ++same;
      }
      REQUIRE(mean_p_value(same / cohorts, cohorts, expected,
                           std::sqrt(expected * (1.0 - expected))) > kRarely);
      REQUIRE(prior->scale() == StageScale::ordinal);
      REQUIRE(prior->continuous_law() == nullptr);
    } else {
      const auto k = stages(*prior, B, 20000, stream(5));
      REQUIRE(ks_p_value(k, [&](double x) {
                return prior->continuous_law()->cumulative(B, std::vector{x}).at(0);
              }) > kRarely);
      REQUIRE(prior->continuous_law()->cumulative(B, std::vector{0.0, 5.0}) ==
              std::vector{0.0, 1.0});
    }
  }
  SECTION("the shortest cohorts: one diseased participant, none") {
    REQUIRE(stages(*prior, 12, 1, stream(4)).size() == 1);
    REQUIRE(stages(*prior, 12, 0, stream(4)).empty());
  }
}

}  // namespace tempo::test
