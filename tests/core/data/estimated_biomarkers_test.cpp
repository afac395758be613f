#include "data/estimated_biomarkers.hpp"

#include <cmath>
#include <limits>

#include "data/biomarker_file.hpp"
#include "support.hpp"

namespace tempo {
namespace {

using Catch::Matchers::Contains;

/// 200 healthy and 300 diseased participants. Half of the diseased are after the event, which moves
/// `clear` by 4 sd, `vague` by a tenth, `none` not at all.
Cohort drawn(std::uint64_t seed) {
  auto stream = test::stream(seed);
  Cohort out;
  out.biomarkers = {"clear", "none", "vague"};
  out.measurements = Matrix(500, 3);
  for (std::size_t j = 0; j < 500; ++j) {
    out.participants.push_back(std::to_string(j));
    out.diseased.push_back(j < 200 ? 0 : 1);
    const bool after = j >= 350;
    out.measurements(j, 0) = 10.0 + stream.normal() + (after ? 4.0 : 0.0);
    out.measurements(j, 1) = stream.normal();
    out.measurements(j, 2) = stream.normal() + (after ? 0.1 : 0.0);
  }
  return out;
}

TEST_CASE("biomarkers are estimated, and those that do not separate are named", "[estimate]") {
  std::vector<std::string> faults;
  for (const auto healthy_are : {HealthyAre::free, HealthyAre::fixed}) {
    const auto found = estimate_biomarkers(drawn(1), healthy_are, faults);
    REQUIRE(faults.empty());
    REQUIRE(found.size() == 3);
    // Means of 150 and 350 values: known to 0.08 and 0.06 sd; four of these.
    REQUIRE(found[0].mixture.pre.mean == Approx(10.0).margin(0.3));
    REQUIRE(found[0].mixture.post.mean == Approx(14.0).margin(0.35));
    REQUIRE(found[0].distance == Approx(4.0).margin(0.6));
    REQUIRE(found[0].warning.empty());
    REQUIRE_THAT(found[1].warning, Contains("biomarker 'none' does not separate"));
    REQUIRE_THAT(found[2].warning, Contains("biomarker 'vague' does not separate"));
    REQUIRE_THAT(report(found), Contains("\nwarning: biomarker 'none' does not separate: "));
  }
}

TEST_CASE("estimates leave out what cannot be believed, and say whose it is", "[estimate]") {
  std::vector<std::string> faults;
  auto cohort = drawn(1);
  const auto clean = estimate_biomarkers(cohort, HealthyAre::free, faults);
  REQUIRE(clean[0].doubts.empty());
  cohort.measurements(400, 0) += 40.0;  // of the diseased, after the event
  cohort.measurements(7, 0) -= 40.0;
  const auto found = estimate_biomarkers(cohort, HealthyAre::free, faults);
  REQUIRE(found[0].healthy == 199);
  REQUIRE(found[0].diseased == 299);
  // Two of 500 values less: a tenth of what 150 tell of a mean and an sd.
  REQUIRE(found[0].mixture.post.mean == Approx(clean[0].mixture.post.mean).margin(0.02));
  REQUIRE(found[0].mixture.post.sd == Approx(clean[0].mixture.post.sd).margin(0.02));
  REQUIRE(found[0].mixture.pre.sd == Approx(clean[0].mixture.pre.sd).margin(0.02));
  REQUIRE(found[0].warning.empty());
  REQUIRE(found[0].doubts.size() == 1);
  REQUIRE_THAT(found[0].doubts[0], Contains("in 'clear' (1 controls, 1 diseased: participants "
                                            "'400', '7'): they were left out"));
  REQUIRE_THAT(report(found), Contains("\nwarning: values far out of their group"));
  REQUIRE(not_separating(cohort) == not_separating(drawn(1)));
}

TEST_CASE("estimates of few values are doubted", "[estimate]") {
  std::vector<std::string> faults;
  auto cohort = drawn(1);
  for (std::size_t j = 0; j < 500; ++j)
    cohort.measurements(j, 0) = 2.0 * std::round(0.5 * cohort.measurements(j, 0));
  const auto found = estimate_biomarkers(cohort, HealthyAre::free, faults);
  REQUIRE(found[0].mixture.pre.sd >= 1.0);
  REQUIRE(found[0].doubts.size() == 1);
  REQUIRE_THAT(found[0].doubts[0], Contains("few different values") && Contains("'clear'"));
}

TEST_CASE("neither warnings nor evidence depend on units", "[estimate]") {
  std::vector<std::string> faults;
  const auto expected = estimate_biomarkers(drawn(2), HealthyAre::free, faults);
  const double factor = GENERATE(1e-6, -1.0, 1e6);
  auto cohort = drawn(2);
  for (std::size_t j = 0; j < 500; ++j)
    for (std::size_t b = 0; b < 3; ++b) cohort.measurements(j, b) *= factor;
  const auto found = estimate_biomarkers(cohort, HealthyAre::free, faults);
  for (std::size_t b = 0; b < 3; ++b) {
    REQUIRE(found[b].warning == expected[b].warning);
    REQUIRE(found[b].mixture.evidence == Approx(expected[b].mixture.evidence).margin(1e-6));
    REQUIRE(found[b].distance == Approx(expected[b].distance));
    REQUIRE(found[b].mixture.pre.mean == Approx(factor * expected[b].mixture.pre.mean));
  }
}

TEST_CASE("missing values are left out, and what cannot be estimated is a fault each",
          "[estimate]") {
  auto cohort = drawn(3);
  for (std::size_t j = 0; j < 100; ++j) cohort.measurements(j, 0) = std::nan("");
  for (std::size_t j = 0; j < 199; ++j) cohort.measurements(j, 1) = std::nan("");
  for (std::size_t j = 0; j < 500; ++j) cohort.measurements(j, 2) = 7.0;
  std::vector<std::string> faults;
  REQUIRE(estimate_biomarkers(cohort, HealthyAre::free, faults).empty());
  REQUIRE(
      faults ==
      std::vector<std::string>{
          "the distributions of 'none' cannot be estimated: two distributions need at least two "
          "healthy and two diseased values",
          "the distributions of 'vague' cannot be estimated: the healthy all have the same value"});
  faults.clear();
  auto one = with_columns(cohort, {0, 1, 2});
  one.biomarkers = {"clear"};
  one.measurements = Matrix(500, 1);
  for (std::size_t j = 0; j < 500; ++j) one.measurements(j, 0) = cohort.measurements(j, 0);
  const auto found = estimate_biomarkers(one, HealthyAre::free, faults);
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].healthy == 100);
  REQUIRE(found[0].diseased == 300);
}

TEST_CASE("what cannot be estimated does not hide what separates", "[estimate]") {
  auto cohort = drawn(5);
  cohort.biomarkers = {"clear", "none", "vague", "constant", "ceiling", "lacking"};
  Matrix values(500, 6);
  for (std::size_t j = 0; j < 500; ++j) {
    for (std::size_t b = 0; b < 3; ++b) values(j, b) = cohort.measurements(j, b);
    values(j, 3) = 7.0;
    values(j, 4) =
        j < 200 ? 30.0 : 30.0 - static_cast<double>(j % 10);  // all healthy at the end of the scale
    values(j, 5) = j < 199 ? std::nan("") : values(j, 0);     // one healthy value
  }
  cohort.measurements = values;
  REQUIRE(*not_separating(cohort) ==
          std::vector<std::string>{"none", "vague", "constant", "lacking"});
  cohort.diseased.assign(500, 1);
  REQUIRE_FALSE(not_separating(cohort));
}

TEST_CASE("estimates read back from a file to the bit", "[estimate]") {
  std::vector<std::string> faults;
  const auto table = table_of(estimate_biomarkers(drawn(4), HealthyAre::free, faults));
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "estimates.toml";
  write_biomarkers(table, "estimates", file, "of a test");
  Problems problems;
  REQUIRE(find_biomarkers(file.string(), "", {}, problems) == table);
  REQUIRE(problems.empty());
}

}  // namespace
}  // namespace tempo
