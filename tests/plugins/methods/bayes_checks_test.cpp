// Posterior predictive checks of bayes.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "predictive_checks.hpp"
#include "statistics.hpp"
#include "support.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

namespace {

BiomarkerTable five_biomarkers() {
  return BiomarkerTable({{"a", {0, 1}, {3, 1}},
                         {"b", {10, 2}, {4, 2}},
                         {"c", {0, 1}, {3, 2}},
                         {"d", {5, 1}, {9, 2}},
                         {"e", {1, 1}, {-2, 1}}});
}

SimulatedCohort cohort_of(const std::string& hypothesis, std::size_t participants,
                          std::uint64_t seed) {
  auto draw = stream(seed);
  return shipped()
      .hypothesis(part(hypothesis), five_biomarkers())
      ->simulate({.participants = participants, .healthy_ratio = 0.3}, draw);
}

std::vector<PredictiveCheck> checks(const std::string& hypothesis, const Cohort& cohort,
                                    const std::string& parameters = "known") {
  const auto table = five_biomarkers();
  const auto process = shipped().hypothesis(part(hypothesis), table);
  auto bayes = part("bayes");
  ParameterValue sweeps, word;
  sweeps.value = std::int64_t{300};
  word.value = parameters;
  bayes.settings.set("iterations", sweeps);
  bayes.settings.set("parameters", word);
  auto fit = stream(2);
  return shipped().method_under(bayes, *process)->fit(cohort, fit).checks;
}

double distance(const PredictiveCheck& check) {
  return std::abs(check.observed - check.mean) / check.sd;
}

/// The check with the largest distance among those with a small p.
PredictiveCheck farthest(const std::vector<PredictiveCheck>& all) {
  return *std::max_element(all.begin(), all.end(), [](const auto& one, const auto& other) {
    return std::pair(one.p < 0.05, distance(one)) < std::pair(other.p < 0.05, distance(other));
  });
}

bool is_far(const PredictiveCheck& check) { return check.p < 0.05 && distance(check) >= 3.5; }

bool is_of_checks(const std::string& warning) {
  return warning.find("predictive checks") != std::string::npos;
}

const std::vector<std::size_t> kColumns{0, 1, 2, 3, 4};

}  // namespace

TEST_CASE("statistics of a cohort", "[bayes][checks]") {
  // Healthy a: 0 0 0 3 (moments about 0.75: squares 6.75, cubes 10.125); diseased a rises with b.
  Cohort cohort;
  cohort.biomarkers = {"a", "b"};
  const double rows[][2] = {{0, 5}, {0, 6}, {0, 7}, {3, 6}, {1, 1}, {2, 3}, {4, 2}, {5, 4}};
  cohort.measurements = Matrix(8, 2);
  for (std::size_t j = 0; j < 8; ++j) {
    cohort.participants.push_back(std::to_string(j));
    cohort.diseased.push_back(j >= 4);
    for (std::size_t b = 0; b < 2; ++b) cohort.measurements(j, b) = rows[j][b];
  }
  const bayes::CohortStatistics statistics(cohort, std::vector<std::size_t>{0, 1});
  const auto found = statistics.of(cohort.measurements);
  const auto& names = statistics.checks();
  REQUIRE(found.size() == names.size());
  REQUIRE(names.size() == 2 * (5 + 6));
  std::map<std::string, double> of;
  for (std::size_t i = 0; i < found.size(); ++i)
    of[cohort.biomarkers[names[i].biomarker] + (names[i].diseased ? " ill " : " well ") +
       names[i].statistic] = found[i];
  // All of a: mean 15 / 8, squares 55 / 8 - (15 / 8)^2.
  const double mean = 15.0 / 8.0, sd = std::sqrt(55.0 / 8.0 - mean * mean);
  REQUIRE(of["a well mean"] == Approx((0.75 - mean) / sd));
  REQUIRE(of["a well sd"] == Approx(1.5 / sd));
  REQUIRE(of["a well skewness"] == Approx(10.125 / 4.0 / std::pow(6.75 / 4.0, 1.5)));
  REQUIRE(of["a well lower decile"] == Approx((0.0 - mean) / sd));
  REQUIRE(of["a well upper decile"] == Approx((0.7 * 3.0 - mean) / sd));
  // b falls with disease: towards disease its ranks are 4 2 3 1, those of a 1 2 3 4.
  REQUIRE(of["a ill correlation"] == Approx(-0.8));
  REQUIRE(of["b ill correlation"] == Approx(-0.8));
}

TEST_CASE("equal values have no spread, whatever their sum is rounded to", "[bayes][checks]") {
  auto cohort = cohort_of("h1", 60, 5).cohort;
  std::size_t healthy = 0;
  for (std::size_t j = 0; j < 60; ++j) {
    cohort.measurements(j, 1) = 0.1;
    if (cohort.diseased[j] != 0) continue;
    cohort.measurements(j, 3) = 0.1;
    ++healthy;
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < 60; ++i) sum += 0.1;
  REQUIRE(sum / 60.0 != 0.1);
  REQUIRE(healthy > 10);
  const bayes::CohortStatistics statistics(cohort, kColumns);
  const auto found = statistics.of(statistics.observed());
  const auto& checks = statistics.checks();
  REQUIRE(checks.size() == found.size());
  double mean = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    REQUIRE(checks[i].biomarker != 1);
    if (checks[i].biomarker != 3 || checks[i].diseased) continue;
    CAPTURE(checks[i].statistic);
    if (checks[i].statistic == "mean") mean = found[i];
    const bool is_spread = checks[i].statistic == "sd" || checks[i].statistic == "skewness";
    REQUIRE(found[i] == (is_spread ? 0.0 : mean));
  }
}

TEST_CASE("statistics change neither with units nor with the order of columns", "[bayes][checks]") {
  const auto cohort = cohort_of("h1", 120, 1).cohort;
  const auto plain = bayes::CohortStatistics(cohort, kColumns);
  const auto found = plain.of(plain.observed());
  SECTION("units") {
    auto other = cohort;
    for (std::size_t j = 0; j < 120; ++j)
      other.measurements(j, 1) = 7.0 + 1e6 * other.measurements(j, 1);
    const auto scaled = bayes::CohortStatistics(other, kColumns);
    const auto again = scaled.of(scaled.observed());
    for (std::size_t i = 0; i < found.size(); ++i)
      REQUIRE(again[i] == Approx(found[i]).margin(1e-7));
  }
  SECTION("columns") {
    const auto turned = bayes::CohortStatistics(with_columns(cohort, {4, 3, 2, 1, 0}),
                                                std::vector<std::size_t>{4, 3, 2, 1, 0});
    REQUIRE(turned.of(turned.observed()) == found);
    REQUIRE(turned.checks().front().biomarker == 4);
  }
  SECTION("a negated biomarker has the other sign, and its deciles exchanged") {
    auto other = cohort;
    for (std::size_t j = 0; j < 120; ++j) other.measurements(j, 1) = -other.measurements(j, 1);
    const auto negated = bayes::CohortStatistics(other, kColumns);
    const auto again = negated.of(negated.observed());
    const auto& names = plain.checks();
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto& name = names[i].statistic;
      const bool own = names[i].biomarker == 1;
      const double expected = !own || name == "sd" || name == "correlation" ? found[i]
                              : name == "lower decile"                      ? -found[i + 1]
                              : name == "upper decile"                      ? -found[i - 1]
                                                                            : -found[i];
      REQUIRE(again[i] == Approx(expected).margin(1e-9));
    }
  }
}

TEST_CASE("p-values are uniform where nothing was fitted, and conservative elsewhere",
          "[bayes][checks]") {
  // What the healthy look like depends on known parameters alone: there replications and cohort
  // have the same law. The diseased have been used to find order and stages.
  const std::string hypothesis = GENERATE("h1", "h4", "h8");
  CAPTURE(hypothesis);
  constexpr std::size_t kCohorts = 40;
  std::vector<double> healthy_means, low;
  std::size_t far = 0, all = 0;
  for (std::size_t i = 0; i < kCohorts; ++i) {
    const auto found = checks(hypothesis, cohort_of(hypothesis, 100, 100 + i).cohort);
    double below = 0.0;
    for (const auto& check : found) {
      // Atoms of width 2 / 201, spread out.
      if (!check.diseased && check.statistic == "mean") healthy_means.push_back(check.p);
      below += check.p < 0.05;
      far += is_far(check);
    }
    all += found.size();
    low.push_back(below / static_cast<double>(found.size()));
  }
  if (hypothesis != "h4")  // families are inferred, from the healthy, too
    REQUIRE(ks_p_value(healthy_means, [](double p) { return p; }) > kRarely);
  const double share = mean(low);
  const double se = std::sqrt(variance(low) / static_cast<double>(kCohorts));
  CAPTURE(share, se, far, all);
  REQUIRE(share < 0.05 + 3.0 * se);
  REQUIRE(share > 0.01);  // conservative, not asleep
  REQUIRE(static_cast<double>(far) <= 0.002 * static_cast<double>(all));
}

TEST_CASE("checks name the biomarker that the hypothesis gets wrong", "[bayes][checks]") {
  auto cohort = cohort_of("h1", 400, 11).cohort;
  const auto right = checks("h1", cohort);
  REQUIRE(std::none_of(right.begin(), right.end(), is_far));
  const std::string parameters = GENERATE("known", "sample");
  CAPTURE(parameters);

  SECTION("measurements of another family") {
    // The means and sds of the table, or the best for this cohort: every biomarker has another
    // shape.
    const auto found = checks("h1", cohort_of("h2", 1000, 12).cohort, parameters);
    std::set<std::size_t> named;
    for (const auto& check : found)
      if (is_far(check)) named.insert(check.biomarker);
    REQUIRE(named.size() >= (parameters == "known" ? 2 : 1));
  }
  SECTION("outliers") {
    std::size_t ill = 0;
    for (std::size_t j = 0; j < 400; ++j)
      if (cohort.diseased[j] != 0 && ill++ % 20 == 0) cohort.measurements(j, 3) += 12.0;
    const auto found = farthest(checks("h1", cohort, parameters));
    REQUIRE(is_far(found));
    REQUIRE(found.biomarker == 3);
    REQUIRE(found.diseased);
  }
}

TEST_CASE("checks name a biomarker that has nothing to do with the disease's course",
          "[bayes][checks]") {
  // Its own values in another order among the diseased: only what it has to do with the others is
  // wrong. Distributions are known; sampled ones would make of it a biomarker that its event hardly
  // changes.
  auto [cohort, truth] = cohort_of("h3", 1000, 11);  // everybody anywhere: biomarkers go together
  std::size_t middle = 0;
  while (truth.event_ranks[middle] != 3) ++middle;
  std::vector<std::size_t> ill;
  std::vector<double> values;
  for (std::size_t j = 0; j < 1000; ++j)
    if (cohort.diseased[j] != 0) ill.push_back(j);
  for (const auto j : ill) values.push_back(cohort.measurements(j, middle));
  const auto order = stream(13).permutation(ill.size());
  for (std::size_t i = 0; i < ill.size(); ++i)
    cohort.measurements(ill[i], middle) = values[order[i]];
  const auto all = checks("h3", cohort);
  REQUIRE(farthest(all).biomarker == middle);
  const auto own = std::find_if(all.begin(), all.end(), [&](const PredictiveCheck& check) {
    return check.biomarker == middle && check.statistic == "correlation";
  });
  CAPTURE(own->observed, own->mean, own->sd);
  REQUIRE(is_far(*own));
  REQUIRE(own->observed < own->mean);
}

TEST_CASE("missing cells and small groups have no say in checks", "[bayes][checks]") {
  auto cohort = cohort_of("h1", 60, 5).cohort;
  for (std::size_t j = 0; j < 60; ++j) {
    if (j % 3 == 0) cohort.measurements(j, 0) = std::nan("");
    if (cohort.diseased[j] == 0 && j > 5) cohort.measurements(j, 1) = std::nan("");
    cohort.measurements(j, 4) = std::nan("");
  }
  const auto found = checks("h1", cohort);
  for (const auto& check : found) {
    REQUIRE(std::isfinite(check.observed));
    REQUIRE(check.biomarker != 4);
    REQUIRE((check.diseased || check.biomarker != 1));
  }
  REQUIRE(found.size() == 3 * 11 + 6);
}

TEST_CASE("checks can be left out, and change nothing else", "[bayes][checks]") {
  const auto cohort = cohort_of("h1", 60, 5).cohort;
  const auto table = five_biomarkers();
  const auto process = shipped().hypothesis(part("h1"), table);
  const auto fit = [&](std::int64_t replications, std::int64_t iterations = 2000) {
    auto bayes = part("bayes");
    ParameterValue number, most, unused;
    number.value = replications;
    most.value = iterations;
    unused.value = std::int64_t{10};
    bayes.settings.set("replications", number);
    bayes.settings.set("iterations", most);
    if (iterations < 100) bayes.settings.set("burn_in", unused);
    auto draws = stream(2);
    return shipped().method_under(bayes, *process)->fit(cohort, draws);
  };
  const auto without = fit(0), with = fit(50);
  REQUIRE(without.checks.empty());
  REQUIRE(with.checks.size() == 5 * 11);
  REQUIRE(with.stages == without.stages);
  REQUIRE(with.evidence->log_scores == without.evidence->log_scores);
  REQUIRE(std::none_of(without.warnings.begin(), without.warnings.end(), is_of_checks));
  REQUIRE(std::none_of(with.warnings.begin(), with.warnings.end(), is_of_checks));
  REQUIRE(fit(40).checks.size() == 5 * 11);
  REQUIRE_THROWS_WITH(fit(39), Contains("'replications' must be 0 or at least 40"));

  // Chains that keep too few draws: not a check of which no p can be small.
  const auto few = fit(50, 20);
  REQUIRE(few.checks.empty());
  REQUIRE(std::count_if(few.warnings.begin(), few.warnings.end(), is_of_checks) == 1);
}

}  // namespace tempo::test
