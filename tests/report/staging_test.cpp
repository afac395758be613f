#include "report/staging.hpp"

#include <cmath>

#include "support.hpp"

namespace tempo::test {
namespace {

/// One participant per row; labels play no part.
Cohort people(Matrix measurements) {
  Cohort out;
  for (std::size_t j = 0; j < measurements.rows(); ++j)
    out.participants.push_back(std::to_string(j));
  for (std::size_t b = 0; b < measurements.cols(); ++b)
    out.biomarkers.push_back(std::to_string(b));
  out.measurements = std::move(measurements);
  return out;
}

/// Before N(0, 1), after N(2, 1): the log odds of x are 2 x - 2.
BiomarkerTable two_away(std::size_t B) {
  std::vector<Biomarker> out;
  for (std::size_t b = 0; b < B; ++b) out.push_back({std::to_string(b), {0.0, 1.0}, {2.0, 1.0}});
  return BiomarkerTable(std::move(out));
}

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("a stage's probability is the product of its events' odds", "[report][staging]") {
  // Order 1, 0. Log odds of events: 2 * 1.5 - 2 = 1 for column 1, 2 * 0.5 - 2 = -1 for column 0.
  const auto found = event_based_stages(people(matrix({{0.5, 1.5}})), Sequence({1, 0}), two_away(2));
  const double sum = 1.0 + std::exp(1.0) + std::exp(0.0);
  REQUIRE(found(0, 0) == Approx(1.0 / sum));
  REQUIRE(found(0, 1) == Approx(std::exp(1.0) / sum));
  REQUIRE(found(0, 2) == Approx(1.0 / sum));
  REQUIRE(most_likely_stage(found.row(0)) == 1.0);
}

TEST_CASE("missing values have no say, and far ones do not underflow", "[report][staging]") {
  const auto found = event_based_stages(
      people(matrix({{kMissing, kMissing}, {1e5, kMissing}, {-1e5, -1e5}, {1e5, 1e5}})),
      Sequence({0, 1}), two_away(2));
  REQUIRE(found(0, 1) == Approx(1.0 / 3.0));
  REQUIRE(most_likely_stage(found.row(0)) == 0.0);
  REQUIRE(found(1, 1) == Approx(0.5));
  REQUIRE(found(2, 0) == 1.0);
  REQUIRE(found(3, 2) == 1.0);
}

TEST_CASE("stages do not depend on units or on the order of columns", "[report][staging]") {
  auto random = stream(1);
  Matrix x(20, 3), y(20, 3);
  for (std::size_t j = 0; j < 20; ++j)
    for (std::size_t b = 0; b < 3; ++b) {
      x(j, b) = 2.0 * random.normal() + 1.0;
      y(j, 2 - b) = -1e6 * x(j, b) + 3.0;
    }
  const BiomarkerTable negated({{"0", {3.0, 1e6}, {3.0 - 2e6, 1e6}},
                                {"1", {3.0, 1e6}, {3.0 - 2e6, 1e6}},
                                {"2", {3.0, 1e6}, {3.0 - 2e6, 1e6}}});
  const auto one = event_based_stages(people(x), Sequence({1, 2, 0}), two_away(3));
  const auto other = event_based_stages(people(y), Sequence({1, 0, 2}), negated);
  for (std::size_t i = 0; i < one.values().size(); ++i)
    REQUIRE(one.values()[i] == Approx(other.values()[i]).margin(1e-9));
}

TEST_CASE("an order of other biomarkers is refused", "[report][staging]") {
  REQUIRE_THROWS_WITH(event_based_stages(people(matrix({{1, 2}})), Sequence({0}), two_away(2)),
                      "stages: expected an order and distributions of B=2 biomarkers, got 1 and 2");
}

}  // namespace tempo::test
