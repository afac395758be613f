#include "analysis/best.hpp"

#include <cmath>

#include "analysis/spread.hpp"
#include "analysis/summary.hpp"
#include "some_results.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::WithinAbs;

/// Scores on cohorts 0, 1, ... of one hypothesis.
CohortScores scores(const std::vector<double>& values) {
  CohortScores out;
  for (std::size_t cohort = 0; cohort < values.size(); ++cohort)
    out[{"h1", cohort}] = values[cohort];
  return out;
}

}  // namespace

// Quantiles of Student's t as tables print them, such as NIST/SEMATECH, section 1.3.6.7.2.
TEST_CASE("intervals are of Student's t", "[analysis][spread]") {
  REQUIRE_THAT(half_width_95(1.0, 2) * std::sqrt(2.0), WithinAbs(12.706205, 1e-6));
  REQUIRE_THAT(half_width_95(1.0, 5) * std::sqrt(5.0), WithinAbs(2.776445, 1e-6));
  REQUIRE_THAT(half_width_95(3.0, 20) * std::sqrt(20.0), WithinAbs(3.0 * 2.093024, 1e-5));
  REQUIRE_THAT(half_width_95(1.0, 1'000'001) * std::sqrt(1'000'001.0), WithinAbs(1.95997, 1e-4));
}

TEST_CASE("the best is the lowest mean, and what cannot be told from it", "[analysis][best]") {
  using Marks = std::vector<bool>;
  const auto low = scores({0.1, 0.2, 0.3});
  SECTION("always higher by the same: told apart, however much cohorts differ") {
    REQUIRE(best_of({low, scores({0.11, 0.21, 0.31})}) == Marks{true, false});
  }
  SECTION("higher by 0.01 on average, and by 0.1 either way: a tie") {
    const auto near = scores({0.21, 0.11, 0.31});
    REQUIRE(best_of({scores({0.9, 0.9, 0.9}), near, low}) == Marks{false, true, true});
  }
  SECTION("equal means are ties, in whatever order they come") {
    const auto same = scores({0.3, 0.2, 0.1}), high = scores({0.5, 0.5, 0.6});
    REQUIRE(best_of({low, same, high}) == Marks{true, true, false});
    REQUIRE(best_of({high, same, low}) == Marks{false, true, true});
    REQUIRE(best_of({low, low, high}) == Marks{true, true, false});
  }
  SECTION("nothing is best where nothing is worse, or where there is one to compare") {
    REQUIRE(best_of({low, low}) == Marks{false, false});
    REQUIRE(best_of({low}) == Marks{false});
    REQUIRE(best_of({low, {}}) == Marks{false, false});
    REQUIRE(best_of({}) == Marks{});
  }
  SECTION("one or two cohorts tell nothing") {
    REQUIRE(best_of({scores({0.1}), scores({0.9})}) == Marks{false, false});
    REQUIRE(best_of({scores({0.1, 0.1}), scores({0.9, 0.9})}) == Marks{false, false});
  }
  SECTION("with fewer cohorts than the others a method is not compared") {
    REQUIRE(best_of({scores({0.0, 0.0}), low, scores({0.9, 0.9, 0.9})}) ==
            Marks{false, true, false});
  }
}

// Fixed for each method: h1 0.1, 0.2, 0.3 of `known`, the same + 0.1 of `good`, + 0.3 of `bad`.
TEST_CASE("a limit is never best, nor is what takes least time", "[analysis][best]") {
  RunResults results{"name", {}, {}};
  for (std::size_t cohort = 0; cohort < 3; ++cohort) {
    const double base = 0.1 * static_cast<double>(cohort + 1);
    results.rows.push_back(scored("h1", cohort, "known", base));
    results.rows.push_back(scored("h1", cohort, "good", base + 0.1));
    results.rows.push_back(scored("h1", cohort, "bad", base + 0.3));
  }
  for (auto& row : results.rows) row.id.axis_values.clear();
  const auto marks = [&](const char* metric, const std::string& limit) {
    return summarise(results, *find_metric(metric), limit).rows[0].is_best;
  };
  REQUIRE(marks("tau_distance", "") == std::vector<bool>{true, false, false});
  REQUIRE(marks("tau_distance", "known") == std::vector<bool>{false, true, false});
  REQUIRE(marks("stage_mae", "known") == std::vector<bool>{false, true, false});
  REQUIRE(marks("seconds", "") == std::vector<bool>{false, false, false});
  REQUIRE(
      summarise_over_hypotheses(results, *find_metric("tau_distance"), "known").rows[0].is_best ==
      std::vector<bool>{false, true, false});
}

// One point is easy for all: its winner has lower scores than anybody elsewhere, and each point has
// a best of its own.
TEST_CASE("in a sweep methods are compared at each point, never across points",
          "[analysis][best]") {
  RunResults results{"name", {"cohorts.participants"}, {}};
  for (const auto& [point, easy] : {std::pair("100", 0.3), std::pair("1000", 0.0)})
    for (std::size_t cohort = 0; cohort < 3; ++cohort)
      for (const auto& [method, more] : {std::pair("one", 0.1), std::pair("two", 0.2)}) {
        results.rows.push_back(scored("h1", cohort, method, easy + more));
        results.rows.back().id.axis_values = {point};
      }
  const auto summary = summarise(results, *find_metric("tau_distance"));
  REQUIRE(summary.rows.size() == 2);
  for (const auto& row : summary.rows) REQUIRE(row.is_best == std::vector<bool>{true, false});
}

}  // namespace tempo::test
