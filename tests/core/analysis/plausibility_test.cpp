#include "analysis/plausibility.hpp"

#include <algorithm>
#include <cmath>

#include "statistics.hpp"
#include "support.hpp"
#include "tempo/error.hpp"
#include "tempo/process_law.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

/// 120 participants, 24 of them healthy, under one of the shipped hypotheses; five biomarkers.
Cohort drawn(const std::string& hypothesis, std::uint64_t seed) {
  auto source = stream(seed);
  return shipped()
      .hypothesis(part(hypothesis), plain_biomarkers(5))
      ->simulate({120, 0.2}, source)
      .cohort;
}

Plausibility under(const std::string& hypothesis, const Cohort& cohort,
                   std::size_t simulations = 100, std::uint64_t seed = 7) {
  const auto process = shipped().hypothesis(part(hypothesis), plain_biomarkers(5));
  return plausibility(cohort, *process, hypothesis, simulations, seed);
}

// Squares have an sd of 0.27 here, so that the mean of 60 is known to 0.035: 0.13 fails a correct
// program at one seed in a thousand or fewer. That mean and covariance of 39 cohorts are estimated
// adds 0.18 unless it is accounted for, which the test sees with a power of about 0.9.
TEST_CASE("p is uniform over cohorts of the hypothesis, and distances are about 1",
          "[plausibility]") {
  // 60 cohorts in four classes; a correct program fails at one seed in ten thousand.
  std::array<double, 4> classes{};
  std::vector<double> squares;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto found = under("h1", drawn("h1", 100 + seed), 39, seed);
    REQUIRE(found.p > 0.0);
    REQUIRE(found.p <= 1.0);
    ++classes[static_cast<std::size_t>(std::ceil(found.p * 4.0)) - 1];
    squares.push_back(found.distance * found.distance);
  }
  REQUIRE(chi_square_p_value(classes, std::array{1.0, 1.0, 1.0, 1.0}) > kRarely);
  CAPTURE(std::sqrt(variance(squares)));
  REQUIRE(mean(squares) == Approx(1.0).margin(0.13));
}

TEST_CASE("distances do not hang on how many cohorts are simulated", "[plausibility]") {
  // Of the same 40 cohorts: squares differ by chance, and by what an estimate from few adds, if
  // nothing is done about it.
  double few = 0.0, many = 0.0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto cohort = drawn("h1", 300 + seed);
    few += std::pow(under("h1", cohort, 39, seed).distance, 2) / 40.0;
    many += std::pow(under("h1", cohort, 400, seed).distance, 2) / 40.0;
  }
  CAPTURE(few, many);
  REQUIRE(few == Approx(many).margin(0.1));
}

TEST_CASE("kinds of numbers that a cohort has not do not make it more plausible",
          "[plausibility]") {
  auto source = stream(3);
  const auto process = shipped().hypothesis(part("h1"), plain_biomarkers(1));
  const auto cohort = process->simulate({120, 0.2}, source).cohort;
  const auto found = plausibility(cohort, *process, "h1", 100, 7);
  const auto& [means, sds, skewness, correlations, shares] = found.distances;
  REQUIRE(std::isnan(correlations));
  REQUIRE(
      found.distance ==
      Approx(std::sqrt((means * means + sds * sds + skewness * skewness + shares * shares) / 4.0)));
}

TEST_CASE("shares keep their sign, and biomarkers that do not separate have none",
          "[plausibility]") {
  auto cohort = drawn("h1", 12);
  const auto count = [](const std::vector<Statistic>& all) {
    return std::count_if(all.begin(), all.end(),
                         [](const Statistic& one) { return one.kind == StatisticKind::share; });
  };
  std::vector<Biomarker> table;
  for (const auto& biomarker : plain_biomarkers(5)) table.push_back(biomarker);
  REQUIRE(count(statistics_of(cohort, BiomarkerTable(table))) == 5);
  // The diseased moved away from where the event would take them: less than nothing, not as far as
  // they came.
  auto& [name, phi, theta] = table[2];
  theta.mean = phi.mean - (theta.mean - phi.mean);
  const auto statistics = statistics_of(cohort, BiomarkerTable(table));
  REQUIRE(statistics.back().value < 0.0);
  theta.mean = phi.mean + 0.4 * std::hypot(phi.sd, theta.sd) / std::sqrt(2.0);
  REQUIRE(count(statistics_of(cohort, BiomarkerTable(table))) == 4);
}

TEST_CASE("another law of stages or of values shows, and where", "[plausibility]") {
  // Stages are uniform under h3 and late under h6, Beta(5, 2).
  const auto cohort = drawn("h3", 5);
  REQUIRE(under("h3", cohort).p > 0.05);
  const auto other = under("h6", cohort);
  REQUIRE(other.p < 0.05);
  REQUIRE(other.distance > 1.3 * under("h3", cohort).distance);
  REQUIRE(other.distances[static_cast<std::size_t>(StatisticKind::share)] > 1.5);
  REQUIRE(other.oddest.size() == 3);
  REQUIRE(std::abs(other.oddest[0].z) >= std::abs(other.oddest[1].z));
}

TEST_CASE("plausibility knows no units, signs or columns", "[plausibility]") {
  const auto cohort = drawn("h1", 9);
  const auto expected = under("h1", cohort);
  SECTION("columns and participants") {
    auto other = with_columns(cohort, {3, 1, 4, 0, 2});
    REQUIRE(under("h1", other).distance == Approx(expected.distance));
    REQUIRE(under("h1", other).p == expected.p);
  }
  SECTION("units and signs") {
    const double factor = GENERATE(1e-6, -1.0, 1e6);
    auto other = cohort;
    for (double& x : other.measurements.values()) x *= factor;
    std::vector<Biomarker> scaled;
    for (const auto& [name, phi, theta] : plain_biomarkers(5))
      scaled.push_back({name,
                        {factor * phi.mean, std::abs(factor) * phi.sd},
                        {factor * theta.mean, std::abs(factor) * theta.sd}});
    const auto own = statistics_of(cohort, plain_biomarkers(5));
    const auto others = statistics_of(other, BiomarkerTable(scaled));
    for (std::size_t i = 0; i < own.size(); ++i)
      REQUIRE(others[i].value == Approx(own[i].value).margin(1e-9));
  }
}

TEST_CASE("missing cells are missing in the simulated cohorts, too", "[plausibility]") {
  auto cohort = drawn("h1", 10);
  for (std::size_t j = 0; j < 120; j += 3) cohort.measurements(j, 2) = std::nan("");
  const auto found = under("h1", cohort);
  REQUIRE(std::isfinite(found.distance));
  REQUIRE(found.p > 0.01);
}

TEST_CASE("a cohort that cannot be described is refused", "[plausibility]") {
  auto cohort = drawn("h1", 11);
  SECTION("equal values") {
    for (std::size_t j = 0; j < 120; ++j) cohort.measurements(j, 1) = 2.0;
    REQUIRE_THROWS_WITH(under("h1", cohort),
                        "biomarker 'b1' has only equal values among the healthy");
  }
  SECTION("nobody healthy") {
    cohort.diseased.assign(120, 1);
    REQUIRE_THROWS_WITH(under("h1", cohort),
                        "biomarker 'b0' has fewer than three values among the healthy");
  }
  SECTION("other biomarkers") {
    cohort.biomarkers[0] = "other";
    REQUIRE_THROWS_WITH(under("h1", cohort), "the cohort has other biomarkers than the hypothesis");
  }
}

TEST_CASE("two normals are what the switch of h1, h3, h6 and h9 is drawn from, and no other",
          "[plausibility]") {
  // In any unit, and negated.
  for (const double unit : {1.0, 1e-6, -1e6}) {
    const double sd = std::abs(unit);
    const BiomarkerTable biomarkers(
        {{"a", {0.0, sd}, {3.0 * unit, 2.0 * sd}}, {"b", {5.0 * unit, sd}, {4.0 * unit, sd}}});
    for (const std::string hypothesis : {"h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9"}) {
      INFO(hypothesis << " " << unit);
      const bool expected =
          hypothesis == "h1" || hypothesis == "h3" || hypothesis == "h6" || hypothesis == "h9";
      const auto process = shipped().hypothesis(part(hypothesis), biomarkers);
      REQUIRE(measures_normals(*process->law()) == expected);
    }
  }
}

}  // namespace
}  // namespace tempo::test
