#include "analysis/outside_scores.hpp"

#include "analysis/remarks.hpp"
#include "analysis/summary.hpp"
#include "some_results.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

/// A run of one method on three cohorts of h1.
RunResults a_run() {
  RunResults results{
      "name",
      {},
      {scored("h1", 0, "debm", 0.25), scored("h1", 1, "debm", 0.5), failed("h1", 2, "debm", "no")}};
  for (auto& row : results.rows) row.id.axis_values.clear();
  return results;
}

/// The table of `csv` added to `a_run()`.
struct Added {
  explicit Added(const std::string& csv) {
    const TemporaryFolder folder;
    const auto path = folder.write("s.csv", csv);
    Problems problems;
    left_out = add_outside_scores(path, results, problems);
    for (const auto& problem : problems.all())
      complaints.push_back((to_string(problem.place) + ": " + problem.message)
                               .substr(folder.path().string().size() + 1));
  }
  RunResults results = a_run();
  OutsideScores left_out;
  std::vector<std::string> complaints;
};

}  // namespace

TEST_CASE("scores from outside stand beside the run's own", "[analysis][outside]") {
  const Added added(
      "hypothesis,cohort,method,tau_distance\n"
      "h1,0,TEMPO,0.125\n"
      "h1,2,TEMPO,0.375\n"
      "h1,3,TEMPO,0.5\n"
      "h2,0,TEMPO,0.5\n");
  REQUIRE(added.complaints.empty());
  REQUIRE(added.left_out.rows == 2);
  REQUIRE(added.left_out.columns.empty());
  const auto summary = summarise(added.results, *find_metric("tau_distance"));
  REQUIRE(summary.methods == std::vector<std::string>{"debm", "TEMPO"});
  REQUIRE(summary.labels == std::vector<std::string>{"none", "not stated"});
  REQUIRE(summary.rows.size() == 1);
  REQUIRE(summary.rows[0].estimates[1].mean == 0.25);
  REQUIRE(summary.rows[0].estimates[1].planned == 2);

  SECTION("a metric that was not given is not planned") {
    const auto stages = summarise(added.results, *find_metric("stage_mae"));
    REQUIRE(stages.rows[0].estimates[1].planned == 0);
  }
}

TEST_CASE("outside fits that failed stay in the denominator", "[analysis][outside]") {
  const Added added(
      "hypothesis,cohort,method,status,stage_mae,error\n"
      "h1,0,theirs,ok,2,\n"
      "h1,1,theirs,failed,,out of memory\n");
  REQUIRE(added.complaints.empty());
  const auto estimate = summarise(added.results, *find_metric("stage_mae")).rows[0].estimates[1];
  REQUIRE(estimate.scored == 1);
  REQUIRE(estimate.planned == 2);
  REQUIRE(failures_of(added.results).all().back().text == "out of memory");
  REQUIRE(
      Added("hypothesis,cohort,method,status,stage_mae\nh1,0,T,good,1\n").complaints ==
      std::vector<std::string>{
          "s.csv:2:8: status 'good'; expected 'ok' or 'failed', or the name of a failure as in results.csv"});
}

TEST_CASE("differences are taken cohort by cohort", "[analysis][outside]") {
  const Added added(
      "hypothesis,cohort,method,tau_distance\n"
      "h1,0,TEMPO,0.125\n"
      "h1,1,TEMPO,0.125\n"
      "h1,2,TEMPO,0.375\n");
  const auto summary =
      summarise(differences_from("TEMPO", added.results), *find_metric("tau_distance"));
  REQUIRE(summary.methods == std::vector<std::string>{"debm"});
  const auto& estimate = summary.rows.at(0).estimates.at(0);
  REQUIRE(estimate.mean == 0.25);  // 0.125 and 0.375; the third fit failed
  REQUIRE(estimate.scored == 2);
  REQUIRE(estimate.planned == 3);
  // Two values 0.25 apart: sd 0.25 / sqrt(2), half width t sd / sqrt(2), t of Student's
  // distribution with one degree of freedom.
  REQUIRE(estimate.half_width.value() == Approx(12.706204736 * 0.125).epsilon(1e-9));

  SECTION("a reference that failed leaves its cohort in the denominator") {
    const auto of_tempo =
        summarise(differences_from("debm", added.results), *find_metric("tau_distance"));
    REQUIRE(of_tempo.methods == std::vector<std::string>{"TEMPO"});
    REQUIRE(of_tempo.rows[0].estimates[0].mean == -0.25);
    REQUIRE(of_tempo.rows[0].estimates[0].scored == 2);
    REQUIRE(of_tempo.rows[0].estimates[0].planned == 3);
  }
}

TEST_CASE("columns that are no scores are left out, and named", "[analysis][outside]") {
  const Added added(",hypothesis,cohort,method,tau_distance,seed,\n0,h1,0,T,0.5,7,x\n");
  REQUIRE(added.complaints.empty());
  REQUIRE(added.left_out.columns == std::vector<std::string>{"column 1", "seed", "column 7"});
  REQUIRE(added.results.rows.back().result.scores.tau_distance == 0.5);
}

TEST_CASE("faults in scores from outside", "[analysis][outside]") {
  const auto complaints = [](const std::string& csv) { return Added(csv).complaints; };
  using Lines = std::vector<std::string>;
  CHECK(complaints("") ==
        Lines{"s.csv: is empty; expected a header with hypothesis, cohort, method"});
  CHECK(complaints("hypothesis,cohort,methd,stage_mae\n") ==
        Lines{"s.csv:1:19: unknown column 'methd'; expected 'hypothesis', 'cohort', 'method', "
              "'status', 'labels', 'error', 'tau_distance', 'stage_mae', 'sequence_mae', "
              "'seconds', 'matched_tau_distance', 'assigned_tau_distance', 'subtype_score', "
              "'subtype_number_error', 'rank_log_score', 'rank_inside_90', 'stage_log_score', "
              "'stage_inside_90' or 'subtype_number_right'; did you mean 'method'?",
              "s.csv:1:1: missing column 'method'"});
  CHECK(
      complaints("hypothesis,cohort,method\nh1,0,T\n") ==
      Lines{"s.csv:1:1: has no score; expected a column tau_distance, stage_mae or another metric "
            "of results.csv"});
  CHECK(complaints(
            "hypothesis,cohort,method,stage_mae\nh1,0,debm,1\nh1,x,T,1\nh1,0,T,much\nh1,1\n") ==
        Lines{"s.csv:2:6: method 'debm' is one of the run's own; give it another name",
              "s.csv:3:4: cohort 'x' is not a number",
              "s.csv:4:8: stage_mae 'much' is not a number",
              "s.csv:5:1: found 2 fields, expected 4 as in the header"});
  CHECK(complaints("hypothesis,cohort,method,stage_mae\nh1,0,T,1\nh1,0,T,2\n") ==
        Lines{"s.csv:3:1: 'T' on h1 cohort 0 is given twice"});
  CHECK(complaints("hypothesis,cohort,method,tau_distance,seconds\nh1,0,T,1.5,1\nh1,1,T,-0.1,-1\n"
                   "h1,2,T,1,0\n") ==
        Lines{"s.csv:2:8: tau_distance 1.5 cannot be: it is between 0 and 1",
              "s.csv:3:8: tau_distance -0.1 cannot be: it is between 0 and 1",
              "s.csv:3:13: seconds -1 cannot be: it is at least 0"});
  CHECK(complaints("hypothesis,cohort,method,stage_mae\nh9,0,T,1\n") ==
        Lines{"s.csv: none of its 1 rows is of a cohort of this run"});
}

TEST_CASE("scores from outside stand at the points of a sweep", "[analysis][outside]") {
  const auto added = [](const std::string& csv) {
    const TemporaryFolder folder;
    Problems problems;
    auto results = some_results();  // of one point, 100 participants
    const auto left_out = add_outside_scores(folder.write("s.csv", csv), results, problems);
    return std::tuple(results, left_out.rows, problems.report());
  };
  const auto [results, left_out, faults] = added(
      "cohorts.participants,hypothesis,cohort,method,tau_distance\n"
      "100,h1,0,mine,0.125\n"
      "200,h1,0,mine,0.25\n");
  REQUIRE(faults.empty());
  REQUIRE(left_out == 1);
  REQUIRE(results.outside == std::set<std::string>{"mine"});
  const auto summary = summarise(results, *find_metric("tau_distance"));
  REQUIRE(summary.rows.front().axis_values == std::vector<std::string>{"100"});
  REQUIRE(summary.methods.back() == "mine");
  REQUIRE(summary.outside.contains("mine"));
  REQUIRE(summary.rows.front().estimates.back().mean == 0.125);
  REQUIRE_THAT(std::get<2>(added("hypothesis,cohort,method,tau_distance\nh1,0,mine,0.125\n")),
               Catch::Matchers::Contains(
                   "missing column 'cohorts.participants', which the run sweeps over"));
}

}  // namespace tempo::test
