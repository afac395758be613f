#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "kernels.hpp"
#include "support.hpp"

namespace tempo::test {
using namespace tempo::sa_ebm;

namespace {

constexpr std::size_t kControls = 10;

double spread(std::size_t j) { return 0.1 * static_cast<double>(j % 7) - 0.3; }

/// Controls, then diseased; every other diseased `apart` from the rest, in `unit`.
Cohort two_groups(std::size_t J, double apart, double unit) {
  Cohort cohort;
  cohort.biomarkers = {"b"};
  cohort.measurements = Matrix(J, 1);
  for (std::size_t j = 0; j < J; ++j) {
    cohort.participants.push_back(fmt::format("p{}", j));
    cohort.diseased.push_back(j >= kControls);
    cohort.measurements(j, 0) = unit * (spread(j) + (j >= kControls && j % 2 == 0 ? apart : 0.0));
  }
  return cohort;
}

Study study(const Cohort& cohort, Fidelity fidelity) {
  auto draw = stream(1);
  return toolkit::study_of(cohort, {.fidelity = fidelity, .published_least_sd = 0.001}, draw);
}

/// log p(x | theta) - log p(x | phi) of every participant, by row of the cohort.
std::vector<double> log_ratios(const Kernels& kernels, const Study& study) {
  std::vector<std::size_t> rows(study.everyone.participants());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  ParticipantColumns out(study.biomarkers(), rows.size());
  kernels.log_ratios(rows, out);
  std::vector<double> by_row(rows.size());
  for (const std::size_t i : rows) by_row[study.rows[i]] = out[0][i];
  return by_row;
}

std::vector<double> initial(std::size_t J, double apart, double unit, Fidelity fidelity) {
  const auto of = study(two_groups(J, apart, unit), fidelity);
  return log_ratios(Kernels(of, fidelity), of);
}

/// An event that has happened in the diseased for which `condition(j)` holds.
template <class Condition>
Matrix happened(std::size_t J, Condition condition) {
  Matrix out(J, 1);
  for (std::size_t j = kControls; j < J; ++j) out(j, 0) = condition(j) ? 1.0 : 0.0;
  return out;
}

/// The same by participant of the study.
Matrix in_study(const Study& study, const Matrix& happened) {
  Matrix out(happened.rows(), 1);
  for (std::size_t i = 0; i < out.rows(); ++i) out(i, 0) = happened(study.rows[i], 0);
  return out;
}

}  // namespace

TEST_CASE("kernel densities start from the clusters", "[sa_ebm][kernels]") {
  const std::size_t J = 40;
  auto cohort = two_groups(J, 2.0, 1.0);
  cohort.measurements(3, 0) = 2.1;  // a control among the values of theta

  // Formula by formula: population sd s, width s n^(-1/5) n^0, mean of kernels.
  const auto density = [&](double x, bool theta) {
    std::vector<double> points;
    for (std::size_t j = 0; j < J; ++j)
      if ((j >= kControls && j % 2 == 0) == theta) points.push_back(cohort.measurements(j, 0));
    const auto n = static_cast<double>(points.size());
    double mean = 0.0, variance = 0.0, sum = 0.0;
    for (const double point : points) mean += point / n;
    for (const double point : points) variance += (point - mean) * (point - mean) / n;
    const double width = std::sqrt(variance) * std::pow(n, -0.2);
    for (const double point : points)
      sum += std::exp(-0.5 * (x - point) * (x - point) / width / width) / n / width;
    return sum / std::sqrt(2.0 * std::acos(-1.0));
  };
  const auto of = study(cohort, Fidelity::paper);
  const auto found = log_ratios(Kernels(of, Fidelity::paper), of);
  for (std::size_t j = 0; j < J; ++j) {
    const double x = cohort.measurements(j, 0);
    const double expected =
        std::log(std::max(density(x, true), 1e-12)) - std::log(std::max(density(x, false), 1e-12));
    REQUIRE(found[j] == Approx(expected).margin(1e-9));
  }
}

TEST_CASE("the published floor of a density is absolute, the repaired one is not",
          "[sa_ebm][kernels]") {
  // Participant 12 is of theta, and farther from phi than its kernels reach.
  const auto ratio = [](double apart, double unit, Fidelity fidelity) {
    return initial(40, apart, unit, fidelity)[12];
  };
  SECTION("paper: it says how much there is to say, whatever the distance") {
    REQUIRE(ratio(30.0, 1.0, Fidelity::paper) ==
            Approx(ratio(20.0, 1.0, Fidelity::paper)).margin(1e-6));
  }
  SECTION("paper: in units a million times as large a density is that much larger, its floor not") {
    REQUIRE(ratio(20.0, 1e-6, Fidelity::paper) - ratio(20.0, 1.0, Fidelity::paper) ==
            Approx(std::log(1e6)).margin(1e-6));
  }
  SECTION("repaired: the same in all units") {
    for (const double unit : {1e-6, 1e6})
      REQUIRE(ratio(20.0, unit, Fidelity::repaired) ==
              Approx(ratio(20.0, 1.0, Fidelity::repaired)).margin(1e-6));
  }
  SECTION("repaired: the tail is one point in the range, n points in their kernels") {
    // phi has 25 of 40 points and no kernel here: density 1 / (26 range) in sd, theta's is larger.
    const auto of = study(two_groups(40, 20.0, 1.0), Fidelity::repaired);
    const double range = (20.0 + 0.6) / of.scale[0];
    const double theta = 16.0 * range * std::exp(ratio(20.0, 1.0, Fidelity::repaired)) / 26.0 - 1.0;
    REQUIRE(theta > 15.0);  // 15 points, in less than the range
    REQUIRE(theta < 15.0 * 60.0);
  }
}

TEST_CASE("the published kernels keep weights that change little", "[sa_ebm][kernels]") {
  const auto changes = [](std::size_t J, const auto& condition) {
    const auto of = study(two_groups(J, 2.0, 1.0), Fidelity::paper);
    const Kernels kernels(of, Fidelity::paper);
    return log_ratios(kernels.refitted(happened(J, condition)), of) != log_ratios(kernels, of);
  };
  SECTION("a mean change below the threshold: one of theta's 15 moves, 2 / 15 / 40 < 0.02") {
    REQUIRE_FALSE(changes(40, [](std::size_t j) { return j % 2 == 0 && j != 12; }));
  }
  SECTION("above it: 8 of 15 move, 16 / 15 / 40 > 0.02") {
    REQUIRE(changes(40, [](std::size_t j) { return j % 2 == 0 && j > 24; }));
  }
  SECTION("from 134 participants on no change reaches it") {
    const auto all_others = [](std::size_t j) { return j % 2 == 1; };
    REQUIRE(changes(133, all_others));
    REQUIRE_FALSE(changes(134, all_others));
    const auto may_change = [](std::size_t J) {
      return Kernels(study(two_groups(J, 2.0, 1.0), Fidelity::paper), Fidelity::paper).may_change();
    };
    REQUIRE(may_change(133));
    for (const std::size_t J : {134, 199, 201, 499, 500, 726, 1000}) REQUIRE_FALSE(may_change(J));
  }
  SECTION("an event that nobody has had keeps its kernels") {
    const auto of = study(two_groups(40, 2.0, 1.0), Fidelity::paper);
    const auto after = Kernels(of, Fidelity::paper).refitted(Matrix(40, 1));
    for (const double ratio : log_ratios(after, of)) REQUIRE(std::isfinite(ratio));
  }
}

TEST_CASE("a missing cell belongs to neither repaired density", "[sa_ebm][kernels]") {
  auto cohort = two_groups(41, 2.0, 1.0);
  cohort.measurements(40, 0) = std::numeric_limits<double>::quiet_NaN();
  const auto with = study(cohort, Fidelity::repaired);
  const auto without = study(two_groups(40, 2.0, 1.0), Fidelity::repaired);
  const auto condition = [](std::size_t j) { return j % 3 == 0; };
  const auto kernels =
      Kernels(with, Fidelity::repaired).refitted(in_study(with, happened(41, condition)));
  const auto fewer =
      Kernels(without, Fidelity::repaired).refitted(in_study(without, happened(40, condition)));
  const auto found = log_ratios(kernels, with), expected = log_ratios(fewer, without);
  REQUIRE(found[40] == 0.0);
  for (std::size_t j = 0; j < 40; ++j) REQUIRE(found[j] == Approx(expected[j]).margin(1e-12));
  REQUIRE(kernels.base() == Approx(fewer.base()).epsilon(1e-12));
}

}  // namespace tempo::test
