#include "data/covariates.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "support.hpp"

namespace tempo::test {
namespace {

/// J participants `0`.., of whom the first `healthy` are healthy.
Cohort cohort_of(const std::vector<std::string>& biomarkers, const Matrix& values,
                 std::size_t healthy) {
  Cohort out{{}, biomarkers, values, {}, {}};
  for (std::size_t j = 0; j < values.rows(); ++j) {
    out.participants.push_back(std::to_string(j));
    out.diseased.push_back(j < healthy ? 0 : 1);
  }
  return out;
}

/// Of `healthy` participants: b = 3 + 2 z0 - 0.5 z1, exactly. Two patients are far from that.
struct Exact {
  explicit Exact(double offset = 0.0, double unit = 1.0) {
    const std::vector<std::pair<double, double>> z{{1, 4}, {2, 2}, {4, 7}, {5, 1}, {8, 3}};
    covariates = {{"age", "edu"}, Matrix(z.size() + 2, 2)};
    Matrix x(z.size() + 2, 1);
    for (std::size_t j = 0; j < z.size() + 2; ++j) {
      const auto [age, edu] = j < z.size() ? z[j] : std::pair(20.0, 30.0 + static_cast<double>(j));
      covariates.values(j, 0) = offset + unit * age;
      covariates.values(j, 1) = edu;
      x(j, 0) = j < z.size() ? 3 + 2 * age - 0.5 * edu : 1000.0;
    }
    cohort = cohort_of({"b"}, x, z.size());
  }
  Covariates covariates;
  Cohort cohort;
};

Adjustment fit(const Cohort& cohort, const Covariates& covariates) {
  std::vector<std::string> faults;
  auto out = fit_adjustment(cohort, covariates, faults);
  REQUIRE(faults.empty());
  return out;
}

}  // namespace

TEST_CASE("what covariates explain among the healthy", "[data][covariates]") {
  SECTION("least squares finds an exact relation; patients are not used") {
    const Exact exact;
    const auto found = fit(exact.cohort, exact.covariates);
    REQUIRE(found.covariates == std::vector<std::string>{"age", "edu"});
    REQUIRE(found.biomarkers == std::vector<std::string>{"b"});
    REQUIRE(found.slopes(0, 0) == Approx(2).epsilon(1e-12));
    REQUIRE(found.slopes(0, 1) == Approx(-0.5).epsilon(1e-12));
    REQUIRE(found.means(0, 0) == Approx(4));
    REQUIRE(found.means(0, 1) == Approx(3.4));
    REQUIRE(found.lows == std::vector<double>{1, 1});
    REQUIRE(found.highs == std::vector<double>{8, 7});
  }
  SECTION("offsets and units of a covariate do not matter") {
    const auto plain = Exact();
    for (const auto& [offset, unit] : {std::pair(1e6, 1.0), {0.0, 1e-9}, {-5e3, 1e4}}) {
      const Exact moved(offset, unit);
      REQUIRE(fit(moved.cohort, moved.covariates).slopes(0, 0) * unit == Approx(2).epsilon(1e-6));
      auto first = plain.cohort;
      adjust(first, plain.covariates, fit(plain.cohort, plain.covariates));
      auto second = moved.cohort;
      adjust(second, moved.covariates, fit(moved.cohort, moved.covariates));
      for (std::size_t j = 0; j < 7; ++j)
        REQUIRE(second.measurements(j, 0) == Approx(first.measurements(j, 0)).epsilon(1e-6));
    }
  }
  SECTION("residuals of noisy values are orthogonal to the covariates, and keep the mean") {
    auto random = stream(21);
    const std::size_t J = 60, healthy = 40;
    Covariates covariates{{"p", "q", "r"}, Matrix(J, 3)};
    Matrix x(J, 2);
    for (std::size_t j = 0; j < J; ++j) {
      for (auto& z : covariates.values.row(j)) z = 50 + 10 * random.normal();
      for (auto& value : x.row(j)) value = covariates.values(j, 0) + random.normal();
    }
    auto cohort = cohort_of({"a", "b"}, x, healthy);
    const auto before = cohort;
    adjust(cohort, covariates, fit(cohort, covariates));
    for (std::size_t b = 0; b < 2; ++b) {
      double mean_before = 0.0, mean = 0.0;
      for (std::size_t j = 0; j < healthy; ++j) {
        mean_before += before.measurements(j, b) / healthy;
        mean += cohort.measurements(j, b) / healthy;
      }
      REQUIRE(mean == Approx(mean_before).epsilon(1e-12));
      for (std::size_t p = 0; p < 3; ++p) {
        double along = 0.0;
        for (std::size_t j = 0; j < healthy; ++j)
          along += (cohort.measurements(j, b) - mean) * covariates.values(j, p);
        REQUIRE(std::abs(along) < 1e-8);
      }
    }
  }
  SECTION("missing values are skipped, biomarker by biomarker") {
    const Exact exact;
    Matrix x(7, 2);
    for (std::size_t j = 0; j < 7; ++j) x(j, 0) = x(j, 1) = exact.cohort.measurements(j, 0);
    x(4, 1) = kMissing;
    auto cohort = cohort_of({"b", "gap"}, x, 5);
    const auto found = fit(cohort, exact.covariates);
    REQUIRE(found.slopes(1, 0) == Approx(2).epsilon(1e-12));
    REQUIRE(found.means(1, 0) == Approx(3));  // without the 8 of the participant who lacks it
    adjust(cohort, exact.covariates, found);
    REQUIRE(std::isnan(cohort.measurements(4, 1)));
  }
}

TEST_CASE("biomarkers that cannot be adjusted", "[data][covariates]") {
  const auto faults_of = [](const Cohort& cohort, const Covariates& covariates) {
    std::vector<std::string> faults;
    fit_adjustment(cohort, covariates, faults);
    return faults;
  };
  const Exact exact;
  SECTION("too few healthy participants have it: a degree of freedom has to be left") {
    auto cohort = exact.cohort;
    cohort.measurements(0, 0) = kMissing;
    REQUIRE(faults_of(cohort, exact.covariates).empty());
    cohort.measurements(1, 0) = kMissing;
    REQUIRE(faults_of(cohort, exact.covariates) ==
            std::vector<std::string>{"biomarker 'b' has 3 healthy participants, too few to adjust "
                                     "it for age, edu; expected 4 or more"});
  }
  SECTION("a covariate is the same for all healthy participants, at any scale") {
    for (const double value : {0.0, 1.0, 1e12, 0.1}) {
      auto covariates = exact.covariates;
      for (std::size_t j = 0; j < 5; ++j) covariates.values(j, 1) = value;
      REQUIRE(faults_of(exact.cohort, covariates) ==
              std::vector<std::string>{"biomarker 'b' cannot be adjusted: of its 5 healthy "
                                       "participants covariate 'edu' is constant among them"});
    }
  }
  SECTION("covariates determine each other") {
    auto covariates = exact.covariates;
    for (std::size_t j = 0; j < 7; ++j) covariates.values(j, 1) = 7 - 0.3 * covariates.values(j, 0);
    REQUIRE(faults_of(exact.cohort, covariates) ==
            std::vector<std::string>{
                "biomarker 'b' cannot be adjusted: of its 5 healthy participants covariate 'edu' "
                "is determined by the covariates before it"});
  }
}

TEST_CASE("an earlier adjustment", "[data][covariates]") {
  const Adjustment earlier{{"age"}, {"b", "gone"}, matrix({{0.5}, {9}}), matrix({{60}, {60}})};
  auto later = cohort_of({"a", "b"}, matrix({{1, 10}, {2, 20}, {3, kMissing}}), 0);
  adjust(later, {{"age"}, matrix({{62}, {50}, {70}})}, earlier);
  REQUIRE(later.measurements(0, 1) == 9);
  REQUIRE(later.measurements(1, 1) == 25);
  REQUIRE(std::isnan(later.measurements(2, 1)));
  for (std::size_t j = 0; j < 3; ++j)
    REQUIRE(later.measurements(j, 0) == static_cast<double>(j + 1));
}

}  // namespace tempo::test
