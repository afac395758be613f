#include "tempo/toolkit/doubtful_values.hpp"

#include "support.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

namespace {

/// Two hundred participants, every fourth a control; biomarker `b` is N(0, 1), in the diseased
/// N(shift, 1).
Cohort cohort_of(double shift) {
  Cohort cohort;
  cohort.biomarkers = {"b"};
  cohort.measurements = Matrix(200, 1);
  auto draw = stream(3);
  for (std::size_t j = 0; j < 200; ++j) {
    cohort.participants.push_back(std::to_string(j));
    cohort.diseased.push_back(j % 4 != 0);
    cohort.measurements(j, 0) = draw.normal() + (j % 4 != 0 ? shift : 0.0);
  }
  return cohort;
}

std::vector<std::string> warnings(const Cohort& cohort) {
  Inference inference;
  inference.stages.assign(cohort.participant_count(), 0.0);
  inference.stages[0] = 1.0;
  toolkit::warn_of_doubtful_values(cohort, toolkit::FarValues::used, inference);
  return inference.warnings;
}

std::string only_warning(const Cohort& cohort) {
  const auto found = warnings(cohort);
  REQUIRE(found.size() == 1);
  return found[0];
}

}  // namespace

TEST_CASE("values that a fit cannot be trusted with are named", "[doubtful_values]") {
  SECTION("none") { REQUIRE(warnings(cohort_of(2.0)).empty()); }
  SECTION("no separation") {
    REQUIRE_THAT(only_warning(cohort_of(0.0)), Contains("do not differ in 'b'"));
  }
  SECTION("a late event that few have had is a difference") {
    auto cohort = cohort_of(0.0);
    for (std::size_t j = 1; j < 60; j += 4) cohort.measurements(j, 0) += 6.0;
    REQUIRE(warnings(cohort).empty());
  }
  SECTION("two values, three values, one value in a third of participants") {
    for (const double step : {4.0, 2.0}) {
      auto cohort = cohort_of(2.0);
      for (double& x : cohort.measurements.values()) x = step * std::round(x / step);
      REQUIRE_THAT(only_warning(cohort), Contains("few different values") && Contains("'b'"));
    }
    auto cohort = cohort_of(2.0);
    for (std::size_t j = 0; j < 67; ++j) cohort.measurements(j, 0) = 1.0;
    REQUIRE_THAT(only_warning(cohort), Contains("in more than 30 % of participants, in 'b'"));
    cohort = cohort_of(2.0);
    for (std::size_t j = 0; j < 50; ++j) cohort.measurements(j, 0) = 1.0;
    REQUIRE(warnings(cohort).empty());
  }
  SECTION("outliers: any control, a few of the diseased, but not what may be an event") {
    auto cohort = cohort_of(2.0);
    cohort.measurements(0, 0) = 40.0;
    REQUIRE_THAT(only_warning(cohort),
                 Contains("'b' (1 controls, 0 diseased: participant '0'): a few of them can turn"));
    cohort = cohort_of(2.0);
    cohort.measurements(1, 0) = -40.0;
    REQUIRE_THAT(only_warning(cohort), Contains("'b' (0 controls, 1 diseased: participant '1')"));
    cohort = cohort_of(2.0);
    for (std::size_t j = 1; j < 40; ++j)
      if (j % 4 != 0) cohort.measurements(j, 0) = 40.0 + 0.1 * static_cast<double>(j);
    REQUIRE(warnings(cohort).empty());
  }
  SECTION("what repaired fits leave out is missing for them, and told") {
    auto cohort = cohort_of(2.0);
    cohort.measurements(1, 0) = -40.0;
    REQUIRE(toolkit::believed(cohort, toolkit::Fidelity::paper) == cohort);
    auto left = cohort;
    left.measurements(1, 0) = kMissing;
    REQUIRE(toolkit::believed(cohort, toolkit::Fidelity::repaired) == left);
    Inference inference;
    toolkit::warn_of_far_values(cohort, toolkit::FarValues::left_out, inference);
    REQUIRE(inference.warnings.size() == 1);
    REQUIRE_THAT(inference.warnings[0], Contains("participant '1'): they were left out"));
  }
  SECTION("units and the order of rows do not matter") {
    auto cohort = cohort_of(0.3);
    cohort.measurements(0, 0) = 40.0;
    const auto before = warnings(cohort);
    for (double& x : cohort.measurements.values()) x *= -1e-9;
    REQUIRE(warnings(cohort) == before);
  }
  SECTION("everybody at one stage") {
    const auto cohort = cohort_of(2.0);
    Inference inference;
    inference.warnings = {"of the fit"};
    inference.stages.assign(200, 3.0);
    toolkit::warn_of_doubtful_values(cohort, toolkit::FarValues::used, inference);
    REQUIRE(inference.warnings.size() == 2);
    REQUIRE(inference.warnings[0] == "of the fit");
    REQUIRE_THAT(inference.warnings[1], Contains("all participants are at stage 3"));
  }
}

}  // namespace tempo::test
