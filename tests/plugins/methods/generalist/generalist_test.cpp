// The plugin with the weights that it ships.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "method_support.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

namespace {

constexpr double kRounding = 1e-4;  // single precision, passed through six rounds

std::unique_ptr<InferenceMethod> generalist() { return method("generalist", {}); }

Inference fit(const Cohort& cohort) {
  auto draw = stream(1);
  return generalist()->fit(cohort, draw);
}

Cohort without_diagnosis(Cohort cohort) {
  cohort.diseased.clear();
  cohort.diagnoses.clear();
  return cohort;
}

/// Requires the same answer but for rounding; column i of `other` is column order[i] of `one`.
void require_same(const Inference& one, const Inference& other,
                  const std::vector<std::size_t>& order) {
  for (std::size_t i = 0; i < order.size(); ++i)
    REQUIRE(other.event_scores[i] == Approx(one.event_scores[order[i]]).margin(kRounding));
  for (std::size_t j = 0; j < one.stages.size(); ++j)
    for (std::size_t k = 0; k <= order.size(); ++k)
      REQUIRE((*other.stage_posterior)(j, k) ==
              Approx((*one.stage_posterior)(j, k)).margin(10.0 * kRounding));
}

/// Its first columns.
Cohort first_biomarkers(Cohort cohort, std::size_t count) {
  Matrix kept(cohort.participant_count(), count);
  for (std::size_t j = 0; j < kept.rows(); ++j)
    for (std::size_t b = 0; b < count; ++b) kept(j, b) = cohort.measurements(j, b);
  cohort.biomarkers.resize(count);
  cohort.measurements = std::move(kept);
  return cohort;
}

std::vector<std::size_t> same_order(const Cohort& cohort) {
  std::vector<std::size_t> order(cohort.biomarker_count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// Mean tau distance and staging MAE over cohorts of 400 participants, each from its own seed.
std::pair<double, double> mean_errors(std::size_t count, double missing, bool diagnosed) {
  const auto fitting = generalist();
  double distance = 0.0, stages = 0.0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    auto [cohort, truth] = simulated(seed, /*shift=*/2.5);
    auto draw = stream(seed);
    for (double& cell : cohort.measurements.values())
      if (draw.uniform() < missing) cell = kMissing;
    const auto found = fitting->fit(diagnosed ? cohort : without_diagnosis(cohort), draw);
    distance += tau_distance(found.event_scores, truth.event_ranks) / static_cast<double>(count);
    stages += stage_mae(found.stages, truth.ordinal_stages, 8) / static_cast<double>(count);
  }
  return {distance, stages};
}

}  // namespace

TEST_CASE("generalist recovers cohorts that it was not trained for", "[method][generalist]") {
  // Eight biomarkers, 2.5 standard deviations from phi to theta. Chance is 0.5 and about 8 / 3.
  SECTION("with diagnosis") {
    const auto [distance, stages] = mean_errors(10, 0.0, true);
    REQUIRE(distance < 0.12);
    REQUIRE(stages < 0.7);
  }
  SECTION("two cells in five missing") {
    const auto [distance, stages] = mean_errors(10, 0.4, true);
    REQUIRE(distance < 0.15);
    REQUIRE(stages < 1.0);
  }
  SECTION("without diagnosis") {
    const auto [distance, stages] = mean_errors(10, 0.0, false);
    REQUIRE(distance < 0.2);
    REQUIRE(stages < 1.3);
  }
}

TEST_CASE("generalist uses a diagnosis where there is one", "[method][generalist]") {
  const auto method = generalist();
  REQUIRE(method->label_use() == LabelUse::optional);
  REQUIRE(method->missing_data() == MissingData::marginal);
  const auto cohort = simulated().cohort;
  const auto found = fit(cohort);
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (cohort.diseased[j] == 0) {
      REQUIRE(found.stages[j] == 0.0);
      REQUIRE((*found.stage_posterior)(j, 0) == 1.0);
    }
  const auto blind = fit(without_diagnosis(cohort));
  REQUIRE(std::ranges::any_of(blind.stages, [](double stage) { return stage > 0.0; }));
  REQUIRE(blind.event_scores != found.event_scores);
}

TEST_CASE("generalist does not depend on how the data are written", "[method][generalist]") {
  for (const bool diagnosed : {true, false}) {
    INFO((diagnosed ? "with" : "without") << " diagnosis");
    const auto drawn = simulated().cohort;
    const auto cohort = diagnosed ? drawn : without_diagnosis(drawn);
    const auto found = fit(cohort);
    for (const double factor : {1e-6, 1e6, -1.0, -3e-4}) {
      INFO("factor " << factor);
      require_same(found, fit(with_column(cohort, 5, factor)), same_order(cohort));
    }
    require_same(found, fit(with_column(cohort, 2, 1.0, 100.0)), same_order(cohort));
    auto draw = stream(9);
    const auto order = draw.permutation(cohort.biomarker_count());
    auto moved = with_columns(cohort, order);
    for (std::size_t i = 0; i < order.size(); ++i)
      moved.biomarkers[i] = fmt::format("renamed {}", i);
    require_same(found, fit(moved), order);
    // Columns are sorted by what is in them: even the draws of ranks are the same.
    for (std::size_t i = 0; i < order.size(); ++i)
      REQUIRE(std::ranges::equal(fit(moved).rank_posterior->row(i),
                                 found.rank_posterior->row(order[i])));
    const auto rows = draw.permutation(cohort.participant_count());
    auto other = cohort;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::ranges::copy(cohort.measurements.row(rows[i]), other.measurements.row(i).begin());
      if (diagnosed) other.diseased[i] = cohort.diseased[rows[i]];
    }
    const auto of_rows = fit(other);
    for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
      REQUIRE(of_rows.event_scores[b] == Approx(found.event_scores[b]).margin(kRounding));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t k = 0; k <= cohort.biomarker_count(); ++k)
        REQUIRE((*of_rows.stage_posterior)(i, k) ==
                Approx((*found.stage_posterior)(rows[i], k)).margin(10.0 * kRounding));
  }
}

TEST_CASE("the sign of a biomarker is of no use to the generalist", "[method][generalist]") {
  auto cohort = simulated().cohort;
  SECTION("where nobody is healthy") {
    std::ranges::fill(cohort.diseased, std::uint8_t{1});
    require_same(fit(cohort), fit(with_column(cohort, 4, -1.0)), same_order(cohort));
  }
  SECTION("where values are rounded and many are shared") {
    for (double& cell : cohort.measurements.values()) cell = std::round(50.0 * cell) / 50.0;
    require_same(fit(cohort), fit(with_column(cohort, 4, -1.0)), same_order(cohort));
  }
  SECTION("where values are in steps") {
    for (double& cell : cohort.measurements.values()) cell = std::round(2.0 * cell);
    require_same(fit(cohort), fit(with_column(cohort, 4, -1.0)), same_order(cohort));
  }
}

TEST_CASE("one participant far out turns nothing", "[method][generalist]") {
  auto cohort = simulated().cohort;
  const bool few = GENERATE(false, true);
  INFO((few ? "of fifty, with cells missing" : "of many"));
  if (few) {
    cohort.participants.resize(50);
    cohort.diseased.resize(50);
    Matrix kept(50, cohort.biomarker_count());
    auto draw = stream(3);
    for (std::size_t j = 0; j < 50; ++j)
      for (std::size_t b = 0; b < kept.cols(); ++b)
        kept(j, b) = j > 0 && draw.uniform() < 0.2 ? kMissing : cohort.measurements(j, b);
    cohort.measurements = std::move(kept);
  }
  const auto found = fit(cohort);
  cohort.measurements(0, 3) *= 1e9;
  const auto other = fit(cohort);
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
    REQUIRE(other.event_scores[b] == Approx(found.event_scores[b]).margin(0.05));
}

TEST_CASE("values of any size have an answer", "[method][generalist]") {
  const auto require_answer = [](const Cohort& cohort) {
    for (const bool diagnosed : {true, false}) {
      const auto found = fit(diagnosed ? cohort : without_diagnosis(cohort));
      REQUIRE(std::ranges::all_of(found.event_scores, [](double x) { return std::isfinite(x); }));
    }
  };
  auto cohort = simulated().cohort;
  const auto J = cohort.participant_count();
  SECTION("a fill value in many participants of a score in steps") {
    for (std::size_t j = 0; j < J; ++j)
      cohort.measurements(j, 2) = j % 20 == 0 ? 1e20 : std::round(cohort.measurements(j, 2));
    require_answer(cohort);
  }
  SECTION("values that are equal but for rounding") {
    for (std::size_t j = 0; j < J; ++j)
      cohort.measurements(j, 2) = j % 7 == 0 ? 0.5 : j % 2 == 0 ? 0.3 : 0.1 + 0.2;
    require_answer(cohort);
  }
  SECTION("most at the floor, one far out") {
    for (std::size_t j = 0; j < J; ++j)
      cohort.measurements(j, 2) = j % 6 == 0 ? cohort.measurements(j, 2) : 0.0;
    cohort.measurements(5, 2) = 1e9;
    require_answer(cohort);
  }
}

TEST_CASE("the smallest cohorts have an answer", "[method][generalist]") {
  auto cohort = first_biomarkers(simulated().cohort, 2);
  cohort.participants.resize(1);
  cohort.diseased.resize(1);
  Matrix one(1, 2);
  for (std::size_t b = 0; b < 2; ++b) one(0, b) = cohort.measurements(0, b);
  cohort.measurements = one;
  REQUIRE(fit(cohort).stages.size() == 1);
  REQUIRE(fit(without_diagnosis(cohort)).event_scores.size() == 2);
}

TEST_CASE("generalist says where an order without diagnosis may be backwards",
          "[method][generalist]") {
  constexpr std::size_t kCohorts = 30;
  const auto is_doubted = [](const Inference& found) {
    return std::ranges::any_of(found.warnings, [](const std::string& warning) {
      return warning.find("may be backwards") != std::string::npos;
    });
  };
  std::size_t backwards = 0, told = 0, false_alarms = 0;
  for (std::uint64_t seed = 0; seed < kCohorts; ++seed) {
    const auto [cohort, truth] = simulated(seed, /*shift=*/2.5);
    std::vector<std::size_t> patients;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      if (cohort.diseased[j] != 0) patients.push_back(j);
    const auto alone = fit(without_diagnosis(with_rows(cohort, patients)));
    if (tau_distance(alone.event_scores, truth.event_ranks) > 0.5) {
      ++backwards;
      told += is_doubted(alone) ? 1 : 0;
    }
    false_alarms += is_doubted(fit(without_diagnosis(cohort))) ? 1 : 0;
  }
  INFO(told << " of " << backwards << " told, " << false_alarms << " false alarms");
  REQUIRE(backwards >= kCohorts / 5);  // or there is nothing to be told
  REQUIRE(10 * told >= 9 * backwards);
  REQUIRE(20 * false_alarms <= kCohorts);
}

TEST_CASE("generalist says what a cohort lacks", "[method][generalist]") {
  auto cohort = simulated().cohort;
  const auto warnings_of = [](const Cohort& of) {
    return fmt::format("{}", fmt::join(fit(of).warnings, "\n"));
  };
  SECTION("a biomarker without a value, a constant one, a participant without any") {
    for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
      cohort.measurements(j, 1) = kMissing;
      cohort.measurements(j, 2) = 7.0;
    }
    for (double& cell : cohort.measurements.row(4)) cell = kMissing;
    REQUIRE_THAT(warnings_of(cohort), Contains("nobody has a value of") &&
                                          Contains(cohort.biomarkers[1]) &&
                                          Contains(cohort.participants[4]));
    for (const double score : fit(cohort).event_scores) REQUIRE(std::isfinite(score));
  }
  SECTION("a constant biomarker, with diagnosis and without") {
    for (std::size_t j = 0; j < cohort.participant_count(); ++j) cohort.measurements(j, 2) = 7.0;
    const auto words = "all values of '" + cohort.biomarkers[2] + "' are equal";
    REQUIRE_THAT(warnings_of(cohort), Contains(words));
    REQUIRE_THAT(warnings_of(without_diagnosis(cohort)), Contains(words));
  }
  SECTION("hardly anybody healthy") {
    std::ranges::fill(cohort.diseased, std::uint8_t{1});
    cohort.diseased[0] = cohort.diseased[1] = 0;
    REQUIRE_THAT(warnings_of(cohort),
                 Contains("2 of 400 are healthy: it has learnt from 5 to 60 %"));
  }
  SECTION("nobody healthy: a diagnosis that all have is none") {
    const auto blind = fit(without_diagnosis(cohort));
    std::ranges::fill(cohort.diseased, std::uint8_t{1});
    REQUIRE_THAT(warnings_of(cohort), Contains("nobody is healthy"));
    REQUIRE(fit(cohort).event_scores == blind.event_scores);
    REQUIRE(fit(cohort).stages == blind.stages);
  }
  SECTION("values that have no scale") {
    cohort.measurements(0, 2) = 1e308;
    for (std::size_t j = 1; j < cohort.participant_count(); ++j)
      cohort.measurements(j, 2) = j % 2 == 0 ? 1e308 : -1e308;
    REQUIRE_THAT(warnings_of(cohort), Contains("are too far apart to be compared"));
  }
  SECTION("a few values far out, without diagnosis") {
    for (const std::size_t j : {3u, 50u, 77u}) cohort.measurements(j, 2) = -9999.0;
    REQUIRE_THAT(warnings_of(without_diagnosis(cohort)), Contains("values far out in "));
  }
  SECTION("nothing but noise") {
    auto draw = stream(8);
    draw.normals(cohort.measurements.values());
    REQUIRE_THAT(warnings_of(without_diagnosis(cohort)),
                 Contains("events cannot be told apart") || Contains("the order may be backwards"));
    REQUIRE_THAT(warnings_of(simulated().cohort), !Contains("events cannot be told apart"));
  }
  SECTION("few biomarkers") {
    REQUIRE_THAT(warnings_of(first_biomarkers(cohort, 3)),
                 Contains("3 biomarkers: it has learnt from 5 to 30"));
  }
  SECTION("nobody diseased") {
    std::ranges::fill(cohort.diseased, std::uint8_t{0});
    REQUIRE_THAT(warnings_of(cohort), Contains("nobody is diseased"));
  }
  SECTION("nothing measured at all") {
    for (double& cell : cohort.measurements.values()) cell = kMissing;
    REQUIRE_THROWS_WITH(fit(cohort), Contains("nobody has a value"));
  }
  SECTION("one biomarker") {
    REQUIRE_THROWS_WITH(fit(first_biomarkers(cohort, 1)), Contains("one biomarker has no order"));
  }
}

}  // namespace tempo::test
