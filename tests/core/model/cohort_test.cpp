#include "tempo/cohort.hpp"

#include <limits>

#include "support.hpp"
#include "tempo/error.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

// Three participants, two biomarkers; b is event 1 and a event 2.
SimulatedCohort small_cohort() {
  return {{{"p1", "p2", "p3"}, {"a", "b"}, matrix({{1, 2}, {3, 4}, {5, 6}}), {0, 1, 1}, {}},
          {{2.0, 1.0}, Ranks({2, 1}), false, {0.0, 1.0, 2.0}, false, {0, 1, 2}, {}}};
}

TEST_CASE("what a cohort must be", "[model][cohort]") {
  auto [cohort, truth] = small_cohort();
  REQUIRE_NOTHROW(check(cohort));
  REQUIRE_NOTHROW(check(truth, cohort));

  SECTION("a missing cell is fine, an infinite one is named") {
    cohort.measurements(1, 0) = std::numeric_limits<double>::quiet_NaN();
    REQUIRE_NOTHROW(check(cohort));
    cohort.measurements(2, 1) = -std::numeric_limits<double>::infinity();
    REQUIRE_THROWS_WITH(check(cohort), Contains("'p3'") && Contains("'b'"));
  }
  SECTION("names must be there and differ") {
    cohort.participants[2] = "p1";
    REQUIRE_THROWS_WITH(check(cohort), Contains("'p1' occurs twice"));
    cohort.participants[2] = "";
    REQUIRE_THROWS_WITH(check(cohort), Contains("a name is empty"));
  }
  SECTION("one repeated name among very many is found") {
    cohort = {{}, {"a"}, Matrix(5000, 1), {}, {}};
    for (int j = 0; j < 5000; ++j) cohort.participants.push_back("id" + std::to_string(j));
    REQUIRE_NOTHROW(check(cohort));
    cohort.participants.back() = "id17";
    REQUIRE_THROWS_WITH(check(cohort), Contains("'id17' occurs twice"));
  }
  SECTION("nothing at all is consistent") { REQUIRE_NOTHROW(check(Cohort{})); }
  SECTION("sizes must belong together") {
    cohort.measurements = Matrix(2, 2);
    REQUIRE_THROWS_AS(check(cohort), ShapeError);
  }
}

TEST_CASE("what a truth must be", "[model][cohort]") {
  auto [cohort, truth] = small_cohort();

  SECTION("an event counts from its own time on") {
    REQUIRE(event_count(truth.event_times, 0.5) == 0);
    REQUIRE(event_count(truth.event_times, 1.0) == 1);
    REQUIRE(event_count(truth.event_times, 1.5) == 1);
    REQUIRE(event_count(truth.event_times, 2.0) == 2);
    REQUIRE(event_count({}, 2.0) == 0);
  }
  SECTION("the ordinal stage must be that count") {
    truth.ordinal_stages[2] = 1;
    REQUIRE_THROWS_WITH(check(truth, cohort), Contains("'p3' has 2 events behind it"));
  }
  SECTION("the healthy are at stage 0") {
    truth.stages[0] = 1.0;
    REQUIRE_THROWS_WITH(check(truth, cohort), Contains("'p1' is not at stage 0"));
  }
  SECTION("ranks must follow the event times") {
    truth.event_ranks = Ranks({1, 2});
    REQUIRE_THROWS_WITH(check(truth, cohort), Contains("'a' ranks before 'b'"));
  }
}

TEST_CASE("participants may differ in their progressions", "[model][cohort]") {
  auto [cohort, truth] = small_cohort();
  truth.subtypes = {{{{2.0, 1.0}, Ranks({2, 1})}, {{1.0, 2.0}, Ranks({1, 2})}}, {-1, 1, 0}};
  REQUIRE_NOTHROW(check(truth, cohort));
  auto& [progressions, subtype] = *truth.subtypes;

  SECTION("ordinal stages count the events of the participant's own") {
    truth.stages[1] = 1.5;
    progressions[1].event_times = {0.5, 1.0};
    REQUIRE_THROWS_WITH(check(truth, cohort), Contains("'p2' has 2 events behind it"));
    truth.ordinal_stages[1] = 2;
    REQUIRE_NOTHROW(check(truth, cohort));
  }
  SECTION("there is at least one") {
    progressions.clear();
    REQUIRE_THROWS_WITH(check(truth, cohort), Contains("expected at least 1 progression"));
  }
  SECTION("each has all events, its ranks follow its times") {
    progressions[1].event_ranks = Ranks({2, 1});
    REQUIRE_THROWS_WITH(check(truth, cohort), Contains("'b' ranks before 'a'"));
    progressions[1].event_times = {1.0};
    REQUIRE_THROWS_AS(check(truth, cohort), ShapeError);
  }
  SECTION("every diseased participant follows one, the healthy none") {
    subtype = {-1, 2, 0};
    REQUIRE_THROWS_WITH(check(truth, cohort),
                        "subtypes: participant 'p2' has 2, expected one of 0..1");
    subtype = {0, 1, 0};
    REQUIRE_THROWS_WITH(check(truth, cohort),
                        "subtypes: participant 'p1' has 0, expected -1, as it is healthy");
    subtype = {-1, 1};
    REQUIRE_THROWS_AS(check(truth, cohort), ShapeError);
  }
}

TEST_CASE("columns in another order are the same cohort", "[model][cohort]") {
  const auto [cohort, truth] = small_cohort();
  const auto swapped = with_columns(cohort, {1, 0});
  REQUIRE(swapped.biomarkers == std::vector<std::string>{"b", "a"});
  REQUIRE(swapped.measurements == matrix({{2, 1}, {4, 3}, {6, 5}}));
  REQUIRE(with_columns(swapped, {1, 0}) == cohort);
  REQUIRE_THROWS_AS(with_columns(cohort, {0, 0}), NumericError);
}

TEST_CASE("where the biomarkers of a list stand, what it lacks and what is not of it",
          "[model][cohort]") {
  const auto [cohort, truth] = small_cohort();
  const auto found = find_columns(cohort, {"c", "b"});
  REQUIRE(found.columns == std::vector<std::size_t>{1});
  REQUIRE(found.missing == std::vector<std::string>{"c"});
  REQUIRE(found.unknown == std::vector<std::string>{"a"});
}

}  // namespace tempo::test
