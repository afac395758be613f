#include "analysis/fitted_distributions.hpp"

#include <cmath>
#include <numeric>

#include "support.hpp"

namespace tempo::test {
namespace {

/// 200 healthy about 0 and 400 diseased, three in four of them about 5, in a unit of choice.
Cohort mixed_cohort(double unit) {
  auto noise = stream(11);
  Cohort out;
  out.biomarkers = {"TAU"};
  out.measurements = Matrix(600, 1);
  for (std::size_t j = 0; j < 600; ++j) {
    out.participants.push_back(std::to_string(j));
    out.diseased.push_back(j < 200 ? 0 : 1);
    out.measurements(j, 0) = unit * (noise.normal() + (j < 300 ? 0.0 : 5.0));
  }
  return out;
}

BiomarkerTable known(double unit) {
  const double sd = std::abs(unit);
  return BiomarkerTable({Biomarker{"TAU", {0.0, sd}, {5.0 * unit, sd}}});
}

double area(const FittedDistribution& found, const FittedDistribution::Histogram& group) {
  return std::accumulate(group.begin(), group.end(), 0.0) * (found.high - found.low) /
         static_cast<double>(FittedDistribution::kBins);
}

}  // namespace

TEST_CASE("the diseased are a mixture of before and after, whatever the unit",
          "[analysis][distributions]") {
  for (const double unit : {1.0, -1.0, 1e-6, 1e6}) {
    CAPTURE(unit);
    const auto found = fitted_distributions(mixed_cohort(unit), known(unit));
    REQUIRE(found.size() == 1);
    // Three in four; the components overlap by 0.6 %, and 400 draws of known components have an
    // error of 0.0005 beyond that.
    REQUIRE(found[0].post_share == Approx(0.75).margin(0.01));
    REQUIRE(area(found[0], found[0].healthy) == Approx(1.0));
    REQUIRE(area(found[0], found[0].diseased) == Approx(1.0));
    REQUIRE(found[0].mean_difference / unit == Approx(3.75).margin(0.35));
    REQUIRE(found[0].median_difference / unit > 4.0);
    REQUIRE_FALSE(found[0].is_direction_odd());
  }
}

TEST_CASE("a share is at an end where all are before their event, or after it",
          "[analysis][distributions]") {
  auto cohort = mixed_cohort(1.0);
  for (std::size_t j = 200; j < 600; ++j) cohort.measurements(j, 0) = -1.0;
  cohort.measurements(200, 0) = -2.0;
  REQUIRE(fitted_distributions(cohort, known(1.0))[0].post_share == Approx(0.0).margin(1e-9));
  for (std::size_t j = 200; j < 600; ++j) cohort.measurements(j, 0) = 6.0;
  REQUIRE(fitted_distributions(cohort, known(1.0))[0].post_share == Approx(1.0).margin(1e-9));
}

TEST_CASE("a direction is odd if the groups differ the other way by mean and by median",
          "[analysis][distributions]") {
  FittedDistribution found;
  found.pre_event = {0.0, 1.0};
  found.post_event = {2.0, 1.0};
  found.mean_difference = -0.5;
  found.median_difference = -0.1;
  REQUIRE(found.is_direction_odd());
  found.median_difference = 0.1;
  REQUIRE_FALSE(found.is_direction_odd());
  found.median_difference = -0.1;
  found.post_event.mean = -2.0;
  REQUIRE_FALSE(found.is_direction_odd());
}

TEST_CASE("biomarkers that say nothing have no histograms", "[analysis][distributions]") {
  auto cohort = mixed_cohort(1.0);
  REQUIRE(fitted_distributions(cohort, BiomarkerTable({Biomarker{"ABETA", {}, {}}})).empty());
  auto without_healthy = cohort;
  for (std::size_t j = 0; j < 200; ++j) without_healthy.measurements(j, 0) = std::nan("");
  REQUIRE(fitted_distributions(without_healthy, known(1.0)).empty());
  for (std::size_t j = 0; j < 600; ++j) cohort.measurements(j, 0) = 3.0;
  REQUIRE(fitted_distributions(cohort, known(1.0)).empty());
}

}  // namespace tempo::test
