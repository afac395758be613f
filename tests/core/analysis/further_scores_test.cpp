#include "analysis/further_scores.hpp"

#include <cmath>
#include <stdexcept>

#include "stored_run.hpp"
#include "support.hpp"
#include "tempo/error.hpp"

namespace tempo::test {
namespace {

/// Two events, a before b, and three participants at stages 0, 1 and 2.
SimulatedCohort two_events() {
  SimulatedCohort out;
  out.cohort.biomarkers = {"a", "b"};
  out.cohort.participants = {"p", "q", "r"};
  out.cohort.diseased = {0, 1, 1};
  out.truth.event_times = {1.0, 2.0};
  out.truth.event_ranks = Ranks({1, 2});
  out.truth.stages = {0.0, 1.0, 2.0};
  out.truth.ordinal_stages = {0, 1, 2};
  return out;
}

PlannedFit planned(const std::string& method, std::size_t cohort) {
  PlannedFit out;
  out.id.hypothesis = "h1";
  out.id.cohort = cohort;
  out.id.method = method;
  out.id.labels = "none";
  out.cohort_key = "cohort " + std::to_string(cohort);
  return out;
}

/// A good fit that is `sure` of the true order and of everybody's stage.
FitRecord record(double sure) {
  FitRecord out;
  out.result.status = FitStatus::ok;
  auto& details = out.details;
  details.biomarkers = {"a", "b"};
  details.participants = {"p", "q", "r"};
  details.event_scores = {0.0, 1.0};
  details.stages = {0.0, 1.0, 2.0};
  details.rank_posterior = Matrix(2, 2, 1.0 - sure);
  for (std::size_t b = 0; b < 2; ++b) (*details.rank_posterior)(b, b) = sure;
  details.stage_posterior = Matrix(3, 3, (1.0 - sure) / 2.0);
  for (std::size_t j = 0; j < 3; ++j) (*details.stage_posterior)(j, j) = sure;
  details.rank_calibration = Calibration{2, 1.0, {}};
  return out;
}

const FurtherScore& further_score(const std::string& name) {
  for (const auto& score : further_scores())
    if (score.metric.name == name) return score;
  throw Error("no such score");
}

class OfFirst final : public FitMetric {
 public:
  OfFirst() : FitMetric({.title = "rank of what was found first", .better = Better::lower}) {
    set_plugin_id("of_first");
  }

 private:
  double do_score(const Inference& found, const SimulatedCohort& cohort) const override {
    if (cohort.cohort.biomarkers.front() == "none") throw std::runtime_error("no order");
    REQUIRE(cohort.cohort.measurements.values().empty());
    REQUIRE(std::isnan(cohort.truth.stages.front()));
    return static_cast<double>(cohort.truth.event_ranks[sequence_by_score(found.event_scores)[0]]);
  }
};

}  // namespace

TEST_CASE("scores of posteriors are worked out from what a run keeps", "[analysis][metrics]") {
  StoredRun run;
  run.add(planned("sure", 0), record(0.8));
  run.add(planned("unsure", 0), record(0.5));
  auto without = record(0.5);
  without.details.rank_posterior.reset();
  without.details.rank_calibration.reset();
  run.add(planned("none", 0), without);
  run.finish();
  run.store.add_truths({{"cohort 0", two_events()}});
  auto results = run.store.results();
  for (const auto* name : {"rank_log_score", "stage_log_score", "rank_inside_90"})
    REQUIRE(add_further_score(further_score(name), run.store, results).unknown == 0);
  const auto in = [&](std::size_t row, const std::string& name) {
    return further_score(name).metric.in(results.rows[row].result);
  };
  REQUIRE(in(0, "rank_log_score") == Approx(std::log(0.8)));
  REQUIRE(in(1, "rank_log_score") == Approx(std::log(0.5)));
  REQUIRE(std::isnan(in(2, "rank_log_score")));
  REQUIRE(in(0, "stage_log_score") == Approx(std::log(0.8)));
  REQUIRE(in(0, "rank_inside_90") == 0.5);
  REQUIRE(std::isnan(in(2, "rank_inside_90")));
}

TEST_CASE("whether the number of subtypes is right is worked out from what a run keeps",
          "[analysis][metrics][subtypes]") {
  auto truth = two_events();
  truth.truth.subtypes = {{{{1.0, 2.0}, Ranks({1, 2})}, {{2.0, 1.0}, Ranks({2, 1})}}, {-1, 0, 1}};
  const auto found = [](std::size_t subtypes) {
    auto out = record(0.8);
    out.details.subtypes = SubtypeInference{Matrix(subtypes, 2),
                                            std::vector(subtypes, 1.0 / double(subtypes)),
                                            Matrix(3, subtypes, 1.0 / double(subtypes)),
                                            {}};
    return out;
  };
  StoredRun run;
  run.add(planned("right", 0), found(2));
  run.add(planned("wrong", 0), found(3));
  run.add(planned("one order", 0), record(0.8));
  run.finish();
  run.store.add_truths({{"cohort 0", truth}});
  auto results = run.store.results();
  const auto& score = further_score("subtype_number_right");
  REQUIRE(add_further_score(score, run.store, results).unknown == 0);
  REQUIRE(score.metric.in(results.rows[0].result) == 1.0);
  REQUIRE(score.metric.in(results.rows[1].result) == 0.0);
  REQUIRE(std::isnan(score.metric.in(results.rows[2].result)));
}

TEST_CASE("a metric of a plugin scores good fits whose truth is kept", "[analysis][metrics]") {
  StoredRun run;
  run.add(planned("right", 0), record(0.8));
  auto wrong = record(0.8);
  wrong.details.event_scores = {1.0, 0.0};
  run.add(planned("wrong", 0), wrong);
  run.add(planned("right", 1), record(0.8));  // whose truth is not kept
  FitRecord failed;
  failed.result.status = FitStatus::failed;
  run.add(planned("failed", 0), failed);
  run.finish();
  run.store.add_truths({{"cohort 0", two_events()}});
  auto results = run.store.results();
  const auto score = score_by(std::make_shared<OfFirst>(), "of_first(n=1)");
  const auto unscored = add_further_score(score, run.store, results);
  REQUIRE(unscored.unknown == 1);
  REQUIRE(unscored.failed == 0);
  REQUIRE(score.metric.name == "of_first(n=1)");
  REQUIRE(score.metric.better() == Metric::Better::lower);
  REQUIRE(score.metric.in(results.rows[0].result) == 1.0);
  REQUIRE(score.metric.in(results.rows[1].result) == 2.0);
  REQUIRE(std::isnan(score.metric.in(results.rows[2].result)));
  REQUIRE(std::isnan(score.metric.in(results.rows[3].result)));
  const auto summary = summarise(results, score.metric);
  REQUIRE(summary.rows.at(0).estimates.at(0).mean == 1.0);
}

TEST_CASE("a metric that throws costs its fits their score, and the first is named",
          "[analysis][metrics]") {
  StoredRun run;
  run.add(planned("right", 0), record(0.8));
  run.add(planned("right", 1), record(0.8));
  run.add(planned("also", 1), record(0.8));
  run.finish();
  auto other = two_events();
  other.cohort.biomarkers.front() = "none";
  run.store.add_truths({{"cohort 0", two_events()}, {"cohort 1", other}});
  auto results = run.store.results();
  const auto score = score_by(std::make_shared<OfFirst>(), "of_first");
  const auto unscored = add_further_score(score, run.store, results);
  REQUIRE(unscored.failed == 2);
  REQUIRE(unscored.first->method == "right");
  REQUIRE(unscored.first->cohort == 1);
  REQUIRE(unscored.error == "plugin of_first, while scoring: no order");
  REQUIRE(score.metric.in(results.rows[0].result) == 1.0);
  REQUIRE(std::isnan(score.metric.in(results.rows[1].result)));
  const auto summary = summarise(results, score.metric);
  REQUIRE(summary.rows.at(0).estimates.at(0).scored == 1);
  REQUIRE(summary.rows.at(0).estimates.at(0).planned == 2);
}

TEST_CASE("a metric that is infinite, or says what it is in two lines, is refused",
          "[analysis][metrics]") {
  class Infinite final : public FitMetric {
   public:
    explicit Infinite(About about) : FitMetric(std::move(about)) {}

   private:
    double do_score(const Inference&, const SimulatedCohort&) const override { return -HUGE_VAL; }
  };
  REQUIRE_THROWS_AS(Infinite({.title = "one"}).score({}, {}), NumericError);
  REQUIRE_THROWS_AS(Infinite({.title = ""}), NumericError);
  REQUIRE_THROWS_AS(Infinite({.title = "one\ntwo"}), NumericError);
  REQUIRE_THROWS_AS(Infinite({.title = "one", .decimals = 10}), NumericError);
}

}  // namespace tempo::test
