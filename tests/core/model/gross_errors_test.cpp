#include "tempo/gross_errors.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using Errors = std::vector<GrossError>;

/// 500 participants, every fifth healthy; one biomarker, N(0, 1), and of every second of the
/// diseased N(3, 1.5). Of 100 and 400 normal values none lies 10 robust sd out.
Cohort cohort() {
  Cohort out;
  out.biomarkers = {"b"};
  out.measurements = Matrix(500, 1);
  auto draw = stream(3);
  for (std::size_t j = 0; j < 500; ++j) {
    out.participants.push_back("p" + std::to_string(j));
    out.diseased.push_back(j % 5 != 0);
    const bool after = j % 5 != 0 && j % 2 == 0;
    out.measurements(j, 0) = after ? 3.0 + 1.5 * draw.normal() : draw.normal();
  }
  return out;
}

Errors errors_of(std::initializer_list<std::size_t> participants) {
  Errors out;
  for (const auto j : participants) out.push_back({j, 0});
  return out;
}

}  // namespace

TEST_CASE("values far from their group cannot be believed", "[gross_errors]") {
  auto data = cohort();
  SECTION("none are far") { REQUIRE(gross_errors(data).empty()); }
  SECTION("of either group, on either side") {
    data.measurements(0, 0) = -12.0;
    data.measurements(7, 0) = 60.0;
    REQUIRE(gross_errors(data) == errors_of({0, 7}));
  }
  SECTION("a missing cell is no error, and an error becomes a missing cell") {
    data.measurements(1, 0) = kMissing;
    data.measurements(7, 0) = 60.0;
    const auto left = without(data, gross_errors(data));
    REQUIRE(std::isnan(left.measurements(7, 0)));
    data.measurements(7, 0) = kMissing;
    REQUIRE(left == data);
  }
  SECTION("a healthy participant may be ill") {
    // In the middle nine tenths of the diseased, ten robust sd of the healthy from their median.
    for (std::size_t j = 0; j < 500; j += 5) data.measurements(j, 0) *= 0.1;
    data.measurements(0, 0) = 3.0;
    REQUIRE(gross_errors(data).empty());
    data.measurements(0, 0) = 12.0;
    REQUIRE(gross_errors(data) == errors_of({0}));
  }
  SECTION("more than one in 25 of the diseased may have had their event") {
    for (std::size_t i = 0; i < 16; ++i) data.measurements(5 * i + 1, 0) = 40.0;
    REQUIRE(gross_errors(data).size() == 16);
    data.measurements(81, 0) = 40.0;
    REQUIRE(gross_errors(data).empty());
  }
  SECTION("but not if the healthy have such values as well") {
    // 17 of 400 diseased, 4.25 %; three of the healthy, 3 %.
    for (std::size_t i = 0; i < 17; ++i) data.measurements(5 * i + 1, 0) = 40.0;
    for (const std::size_t j : {0u, 5u, 10u}) data.measurements(j, 0) = -40.0;
    REQUIRE(gross_errors(data).size() == 20);
  }
}

TEST_CASE("what can be believed knows neither units nor rows", "[gross_errors]") {
  auto data = cohort();
  data.measurements(3, 0) = 50.0;
  data.measurements(10, 0) = -15.0;
  const auto expected = gross_errors(data);
  REQUIRE(expected == errors_of({3, 10}));
  const double factor = GENERATE(1e-6, 1e6, -1.0);
  const double shift = GENERATE(0.0, 3.0);
  auto other = data;
  for (double& x : other.measurements.values()) x = factor * (x + shift);
  REQUIRE(gross_errors(other) == expected);
  for (std::size_t j = 0; j < 250; ++j) {
    std::swap(other.measurements(j, 0), other.measurements(499 - j, 0));
    std::swap(other.diseased[j], other.diseased[499 - j]);
  }
  REQUIRE(gross_errors(other) == errors_of({489, 496}));
}

TEST_CASE("one far value is no event, however few participants there are", "[gross_errors]") {
  const std::vector<double> healthy{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0};
  const std::vector<double> diseased{2.0, 3.0, 4.0, 6.0, 7.0, 9.0, 11.0, 12.0, 13.0, 300.0};
  const auto found = believable_values(healthy, diseased);
  REQUIRE(found.diseased.holds(13.0));
  REQUIRE_FALSE(found.diseased.holds(300.0));
  // Too few to tell what is far.
  REQUIRE(believable_values({}, std::vector{1.0, 2.0, 3.0, 400.0}).diseased.holds(400.0));
}

TEST_CASE("two peaks do not hide what is far from both", "[gross_errors]") {
  // Half of 1000 at N(0, 1), half at N(10, 1): by their median deviation, 7.4, bounds would be 69
  // from either end. The tenth lies at 10.84, three tenths at 9.75: less than a quarter of 7.4.
  std::vector<double> healthy, diseased;
  auto draw = stream(4);
  for (int i = 0; i < 1000; ++i) {
    healthy.push_back(draw.normal());
    diseased.push_back(draw.normal() + (i % 2 == 0 ? 10.0 : 0.0));
  }
  const auto found = believable_values(healthy, diseased);
  REQUIRE(found.healthy.high == Approx(10.3).margin(1.5));
  REQUIRE(found.diseased.high == Approx(10.84 + 9.0 * 1.85).margin(1.5));
  REQUIRE(found.diseased.low == Approx(-0.84 - 9.0 * 1.85).margin(1.5));
  REQUIRE(found.diseased.holds(16.0));
  REQUIRE(found.diseased.holds(-6.0));
}

TEST_CASE("scores that most have at one end are believed as far as they spread", "[gross_errors]") {
  // Three in four healthy participants at 0, the others up to 4: outer tenths 3 apart, an sd of
  // 1.2, in place of a median deviation of 0.
  std::vector<double> healthy(75, 0.0), diseased;
  for (int i = 0; i < 25; ++i) healthy.push_back(i % 5);
  for (int i = 0; i < 100; ++i) diseased.push_back(i % 8);
  const auto found = believable_values(healthy, diseased);
  REQUIRE(found.healthy.holds(8.0));
  REQUIRE_FALSE(found.healthy.holds(50.0));
  REQUIRE_FALSE(found.healthy.holds(-10.0));
  // Nothing tells what is far if all have one value.
  const std::vector<double> same(100, 2.0);
  REQUIRE(believable_values(same, same).healthy.holds(1000.0));
}

TEST_CASE("without labels there is one group", "[gross_errors]") {
  auto data = cohort();
  data.diseased.clear();
  data.measurements(3, 0) = 500.0;
  REQUIRE(gross_errors(data) == errors_of({3}));
  REQUIRE(described(data, gross_errors(data)) ==
          std::vector<std::string>{"values far out in 'b' (participant 'p3')"});
}

TEST_CASE("gross errors are described by biomarker, with whose they are", "[gross_errors]") {
  auto data = cohort();
  data.measurements(0, 0) = -50.0;
  data.measurements(3, 0) = 50.0;
  REQUIRE(
      described(data, gross_errors(data)) ==
      std::vector<std::string>{
          "values far out of their group in 'b' (1 controls, 1 diseased: participants 'p0', 'p3')"});
  for (const std::size_t j : {1u, 2u, 4u, 6u, 7u}) data.measurements(j, 0) = 50.0;
  REQUIRE_THAT(described(data, gross_errors(data)).at(0),
               Contains("(1 controls, 6 diseased: participants 'p0', 'p1', 'p2', 'p3', 'p4' and 2 "
                        "more)"));
}

}  // namespace tempo::test
