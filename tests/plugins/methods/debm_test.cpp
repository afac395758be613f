#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "method_support.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

namespace {

std::unique_ptr<InferenceMethod> debm(const std::string& fidelity) {
  return method("debm", {{"fidelity", fidelity}});
}

Inference fit(const std::string& fidelity, const Cohort& cohort) {
  auto draw = stream(1);
  return debm(fidelity)->fit(cohort, draw);
}

}  // namespace

/// Mean distance and mean staging error over ten cohorts, a share of whose cells is missing.
std::pair<double, double> mean_errors(const std::string& fidelity, double missing) {
  const auto fitting = debm(fidelity);
  double distance = 0.0, stages = 0.0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    auto [cohort, truth] = simulated(seed);
    auto draw = stream(seed);
    for (double& cell : cohort.measurements.values())
      if (draw.uniform() < missing) cell = kMissing;
    const auto found = fitting->fit(cohort, draw);
    distance += tau_distance(found.event_scores, truth.event_ranks) / 10.0;
    stages += stage_mae(found.stages, truth.ordinal_stages, 8) / 10.0;
  }
  return {distance, stages};
}

TEST_CASE("debm recovers cohorts of hypothesis 1", "[method][debm]") {
  // Four standard deviations between phi and theta: single values are nearly certain, and what
  // remains is that some stages are empty. Chance is 0.5 and about 8 / 3.
  for (const std::string fidelity : {"repaired", "paper"}) {
    INFO(fidelity);
    const auto [distance, stages] = mean_errors(fidelity, 0.0);
    REQUIRE(distance < 0.15);
    REQUIRE(stages < 0.6);
  }
  REQUIRE(debm("repaired")->label_use() == LabelUse::fit);
}

TEST_CASE("repaired debm does not depend on how the data are written", "[method][debm]") {
  const auto cohort = simulated().cohort;
  const auto found = fit("repaired", cohort);

  SECTION("units and direction of a biomarker") {
    for (const double factor : {1e-6, 1e6, -1.0, -3e-4}) {
      INFO("factor " << factor);
      for (const std::size_t b : {0u, 5u}) {
        const auto other = fit("repaired", with_column(cohort, b, factor));
        REQUIRE(other.event_scores == found.event_scores);
        REQUIRE(other.stages == found.stages);
      }
    }
    const auto shifted = fit("repaired", with_column(cohort, 2, 1.0, 100.0));
    REQUIRE(shifted.event_scores == found.event_scores);
    REQUIRE(shifted.stages == found.stages);
  }
  SECTION("order and names of columns") {
    auto draw = stream(9);
    const auto order = draw.permutation(cohort.biomarker_count());
    auto moved = with_columns(cohort, order);
    for (std::size_t i = 0; i < order.size(); ++i) {
      moved.biomarkers[i] = fmt::format("renamed {}", i);
    }
    const auto other = fit("repaired", moved);
    for (std::size_t i = 0; i < order.size(); ++i)
      REQUIRE(other.event_scores[i] == found.event_scores[order[i]]);
    REQUIRE(other.stages == found.stages);
  }
  SECTION("order of participants") {
    auto draw = stream(10);
    const auto order = draw.permutation(cohort.participant_count());
    const auto other = fit("repaired", with_rows(cohort, order));
    REQUIRE(other.event_scores == found.event_scores);
    for (std::size_t i = 0; i < order.size(); ++i)
      REQUIRE(other.stages[i] == found.stages[order[i]]);
  }
}

TEST_CASE("repaired debm draws lots between events that nothing tells apart", "[method][debm]") {
  // Columns 0 and 1 are the same numbers: over many streams each comes first about as often.
  auto cohort = simulated().cohort;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    cohort.measurements(j, 1) = cohort.measurements(j, 0);
  const auto fitting = debm("repaired");
  int first = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    auto draw = stream(seed);
    const auto scores = fitting->fit(cohort, draw).event_scores;
    REQUIRE(std::abs(scores[0] - scores[1]) == 1.0);
    first += scores[0] < scores[1];
  }
  REQUIRE(first > 4);  // 40 fair coins: outside 5..35 once in a million
  REQUIRE(first < 36);
}

TEST_CASE("debm skips missing cells", "[method][debm]") {
  auto cohort = simulated().cohort;
  for (double& cell : cohort.measurements.row(7)) cell = kMissing;
  for (const std::string fidelity : {"repaired", "paper"}) {
    INFO(fidelity);
    const auto [distance, stages] = mean_errors(fidelity, 0.1);
    REQUIRE(distance < 0.2);
    REQUIRE(stages < 0.8);
    // Nothing is known of participant 7: all stages are equal, and the lowest is taken.
    REQUIRE(fit(fidelity, cohort).stages[7] == 0.0);
  }
}

TEST_CASE("debm refuses what no mixture can be fitted to", "[method][debm]") {
  const auto cohort = simulated().cohort;
  for (const std::string fidelity : {"repaired", "paper"}) {
    INFO(fidelity);
    SECTION("a constant column: " + fidelity) {
      REQUIRE_THROWS_WITH(fit(fidelity, with_column(cohort, 3, 0.0, 2.5)),
                          Contains("'b3'") && Contains("the same value, 2.5, in all 400"));
    }
    SECTION("a column without values: " + fidelity) {
      REQUIRE_THROWS_WITH(fit(fidelity, with_column(cohort, 6, kMissing)),
                          Contains("'b6'") && Contains("0 controls and 0 diseased"));
    }
    SECTION("one control: " + fidelity) {
      auto few = cohort;
      bool kept = false;
      for (auto& diseased : few.diseased)
        if (diseased == 0) diseased = std::exchange(kept, true);
      REQUIRE_THROWS_WITH(fit(fidelity, few), Contains("the cohort has 1 controls and "));
    }
    SECTION("no diseased: " + fidelity) {
      auto none = cohort;
      for (auto& diseased : none.diseased) diseased = 0;
      REQUIRE_THROWS_WITH(fit(fidelity, none),
                          Contains("the cohort has 400 controls and 0 diseased"));
    }
  }
  SECTION("a column that is constant within the controls only is none of these") {
    auto flat = cohort;
    for (std::size_t j = 0; j < flat.participant_count(); ++j)
      if (flat.diseased[j] == 0) flat.measurements(j, 4) = 4.0;
    const auto found = fit("repaired", flat);
    REQUIRE(found.event_scores.size() == 8);
  }
}

TEST_CASE("debm's settings", "[method][debm]") {
  SECTION("full descent costs no more than the order it starts from") {
    const auto cohort = simulated().cohort;
    auto draw = stream(1);
    const auto found = method("debm", {{"fidelity", std::string("paper")}, {"full_descent", true}})
                           ->fit(cohort, draw);
    REQUIRE(found.diagnostics.count("corrective_swaps") == 0);
    REQUIRE(fit("paper", cohort).diagnostics.count("corrective_swaps") == 1);
  }
}

}  // namespace tempo::test
