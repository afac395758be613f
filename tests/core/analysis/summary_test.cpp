#include "analysis/summary.hpp"

#include <limits>

#include "some_results.hpp"
#include "support.hpp"

namespace tempo::test {

using Catch::Matchers::WithinAbs;

TEST_CASE("an estimate is a mean and its 95 % interval", "[analysis][summary]") {
  SECTION("three cohorts") {
    // Mean 0.5; squares 2 x 0.0625, sd sqrt(0.125 / 2) = 0.25. Student's t with two degrees of
    // freedom has its 97.5 % quantile at 4.302653: half width 4.302653 x 0.25 / sqrt(3).
    const auto three = estimate({0.25, 0.5, 0.75}, 4);
    REQUIRE(three.mean == 0.5);
    REQUIRE_THAT(three.half_width.value(), WithinAbs(0.6210344, 1e-7));
    REQUIRE(three.scored == 3);
    REQUIRE(three.planned == 4);
  }
  SECTION("equal values have an interval of no width") {
    REQUIRE(estimate({0.5, 0.5, 0.5}, 3).half_width == 0.0);
  }
  SECTION("one cohort says nothing about others") {
    REQUIRE(estimate({0.5}, 1).mean == 0.5);
    REQUIRE(!estimate({0.5}, 1).half_width.has_value());
  }
  SECTION("no cohort") {
    REQUIRE(estimate({}, 5).scored == 0);
    REQUIRE(estimate({}, 5).planned == 5);
    REQUIRE(!estimate({}, 5).half_width.has_value());
  }
}

TEST_CASE("a summary has a row per hypothesis and a cell per method", "[analysis][summary]") {
  const auto summary = summarise(some_results(), *find_metric("stage_mae"));
  REQUIRE(summary.axes == std::vector<std::string>{"cohorts.participants"});
  REQUIRE(summary.methods == std::vector<std::string>{"sa_ebm", R"(a|b, "c")"});
  REQUIRE(summary.labels == std::vector<std::string>{"fit", "none"});
  REQUIRE(summary.rows.size() == 2);

  SECTION("failed and pending fits stay in the denominator") {
    REQUIRE(summary.rows[0].hypothesis == "h1");
    REQUIRE(summary.rows[0].estimates[0].mean == 5.0);
    REQUIRE(summary.rows[0].estimates[0].scored == 3);
    REQUIRE(summary.rows[0].estimates[0].planned == 4);
    REQUIRE(summary.rows[0].estimates[1].scored == 0);
    REQUIRE(summary.rows[0].estimates[1].planned == 4);
  }
  SECTION("what was not planned is not there") {
    REQUIRE(summary.rows[1].hypothesis == "h_2");
    REQUIRE(summary.rows[1].estimates[0].planned == 1);
    REQUIRE(summary.rows[1].estimates[1].planned == 0);
  }
}

TEST_CASE("beside differences from a method, only what that does not beat is best",
          "[analysis][summary]") {
  RunResults results{"name", {}, {}};
  for (std::size_t cohort = 0; cohort < 4; ++cohort)
    for (const auto& [method, score] :
         {std::pair{"reference", 0.2}, {"better", 0.1}, {"worse", 0.4}})
      for (const auto* hypothesis : {"h1", "h2"}) {
        const double jitter = 0.001 * static_cast<double>(cohort);
        if (hypothesis == std::string("h2") && method == std::string("better")) continue;
        results.rows.push_back(test::scored(hypothesis, cohort, method, score + jitter));
      }
  const auto summary = summarise_against("reference", results, *find_metric("tau_distance"));
  REQUIRE(summary.reference == "reference");
  REQUIRE(summary.methods == std::vector<std::string>{"better", "worse"});
  REQUIRE(summary.rows.size() == 2);
  REQUIRE_THAT(summary.rows[0].estimates[0].mean, WithinAbs(-0.1, 1e-12));
  REQUIRE(summary.rows[0].is_best == std::vector<bool>{true, false});
  REQUIRE_THAT(summary.rows[1].estimates[1].mean, WithinAbs(0.2, 1e-12));
  REQUIRE(summary.rows[1].is_best == std::vector<bool>{false, false});  // the reference is
}

TEST_CASE("differences of further metrics are taken, and no value is no score",
          "[analysis][summary]") {
  const Metric own{Metric::Of::further, "own", "own", 2, Metric::Better::higher};
  RunResults results{"name", {}, {}};
  for (std::size_t cohort = 0; cohort < 3; ++cohort)
    for (const auto& [method, score] : {std::pair{"one", 0.75}, {"other", 0.5}}) {
      results.rows.push_back(test::scored("h1", cohort, method, 0.1));
      auto& result = results.rows.back().result;
      own.set(result, cohort < 2 ? score : std::numeric_limits<double>::quiet_NaN());
    }
  const auto summary = summarise_against("other", results, own);
  REQUIRE(summary.rows[0].estimates[0].mean == 0.25);
  REQUIRE(summary.rows[0].estimates[0].scored == 2);
  REQUIRE(summary.rows[0].estimates[0].planned == 3);
}

TEST_CASE("a method with fits to come is not compared", "[analysis][summary]") {
  RunResults results{"name", {}, {}};
  for (std::size_t cohort = 0; cohort < 4; ++cohort)
    for (const auto& [method, score] : {std::pair{"near", 0.1}, {"far", 0.4}, {"last", 0.5}}) {
      results.rows.push_back(test::scored("h1", cohort, method, score));
      results.rows.back().id.axis_values.clear();
    }
  const auto best = [&] {
    return summarise(results, *find_metric("tau_distance")).rows[0].is_best;
  };
  REQUIRE(best() == std::vector<bool>{true, false, false});
  results.rows[0].result.status = FitStatus::pending;  // near, cohort 0
  REQUIRE(best() == std::vector<bool>{false, true, false});
}

TEST_CASE("points of a sweep have rows of their own", "[analysis][summary]") {
  auto results = some_results();
  for (auto& row : results.rows) row.id.axis_values = {std::to_string(row.id.cohort)};
  const auto summary = summarise(results, *find_metric("tau_distance"));
  REQUIRE(summary.rows.size() == 5);
  REQUIRE(summary.rows[1].axis_values == std::vector<std::string>{"1"});
  REQUIRE(summary.rows[1].estimates[0].planned == 1);
}

TEST_CASE("metrics go by their column in results.csv", "[analysis][summary]") {
  FitResult result;
  double number = 1.0;
  for (const auto* name : {"tau_distance", "stage_mae", "sequence_mae", "seconds"}) {
    const auto* metric = find_metric(name);
    REQUIRE(metric->name == std::string(name));
    metric->set(result, number);
    REQUIRE(metric->in(result) == number++);
  }
  REQUIRE(result.scores.tau_distance == 1.0);
  REQUIRE(result.scores.stage_mae == 2.0);
  REQUIRE(result.scores.sequence_mae == 3.0);
  REQUIRE(result.seconds == 4.0);
  REQUIRE(find_metric("tau") == nullptr);
}

TEST_CASE("of subtype scores the higher is the better, of signed errors neither",
          "[analysis][summary][subtypes]") {
  RunResults results{"name", {}, {}};
  for (std::size_t cohort = 0; cohort < 4; ++cohort)
    for (const auto& [method, score] : {std::pair{"high", 0.7}, {"low", 0.1}}) {
      results.rows.push_back(test::scored("h1", cohort, method, 0.5));
      results.rows.back().id.axis_values.clear();
      auto& scores = results.rows.back().result.scores;
      scores.matched_tau_distance = 1.0 - score;
      scores.subtype_score = score + 0.01 * static_cast<double>(cohort);
      scores.subtype_number_error = score;
    }
  const auto best = [&](const char* metric) {
    return summarise(results, *find_metric(metric)).rows[0].is_best;
  };
  REQUIRE(best("subtype_score") == std::vector<bool>{true, false});
  REQUIRE(best("matched_tau_distance") == std::vector<bool>{true, false});
  REQUIRE(best("subtype_number_error") == std::vector<bool>{false, false});
  REQUIRE(has_subtypes(results));
  REQUIRE_FALSE(has_subtypes(some_results()));
  const auto differences = differences_from("low", results);
  REQUIRE_THAT(differences.rows[0].result.scores.subtype_score, WithinAbs(0.6, 1e-12));
}

TEST_CASE("who finds one order is no limit of cohorts that have several", "[analysis][summary]") {
  RunResults results{"r", {}, {scored("h1", 0, "exact", 0.1), scored("h1", 0, "other", 0.2)}, {}};
  const auto& metric = *find_metric("tau_distance");
  REQUIRE(summarise(results, metric, "exact").limit == "exact");
  for (auto& row : results.rows)
    row.result.scores.matched_tau_distance = 0.1;  // of a cohort of several
  REQUIRE(summarise(results, metric, "exact").limit.empty());
  results.rows[0].result.scores.subtype_score = 0.5;
  REQUIRE(summarise(results, metric, "exact").limit == "exact");
}

}  // namespace tempo::test
