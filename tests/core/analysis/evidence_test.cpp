#include "analysis/evidence.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "some_results.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

/// 100 participants; under each hypothesis the first half scores `a`, the second `b`.
AssumedFit halves(const std::string& assumed, double a, double b) {
  AssumedFit out{assumed, std::vector<double>(50, a), 1.5, 2};
  out.log_scores.insert(out.log_scores.end(), 50, b);
  return out;
}

FitEvidence evidence(const std::string& generating, std::size_t cohort, const std::string& method,
                     double a, double b) {
  return {scored(generating, cohort, method, 0.0), halves(method, a, b).log_scores};
}

/// Two methods that assume and one that gives no scores; the second cohort of h_2 lacks a fit.
std::vector<FitEvidence> some_evidence() {
  return {evidence("h1", 0, "one", -1.0, -1.0),      evidence("h1", 0, "two", -2.0, -2.0),
          {scored("h1", 0, "debm", 0.0), {}},        evidence("h1", 1, "one", -1.0, -1.0),
          evidence("h1", 1, "two", -0.984375, -1.0), evidence("h_2", 0, "one", -3.0, -1.0),
          evidence("h_2", 0, "two", -1.0, -1.0),     {failed("h_2", 1, "one", "no"), {}},
          evidence("h_2", 1, "two", -1.0, -1.0)};
}

}  // namespace

TEST_CASE("hypotheses are ranked by the sum of scores, their differences paired",
          "[report][evidence]") {
  // b - a: 50 participants -2, 50 participants 1: sum -50, sd 1.5 sqrt(100 / 99), se 15 sqrt(100 /
  // 99).
  const auto ranked =
      rank_by_evidence({halves("b", -4.0, -3.0), halves("a", -2.0, -4.0), halves("c", -9.0, -9.0)});
  REQUIRE(ranked.size() == 3);
  REQUIRE(ranked[0].assumed == "a");
  REQUIRE(ranked[0].elpd_loo == Approx(-300.0));
  REQUIRE(ranked[0].elpd_loo_se == Approx(10.0 * std::sqrt(100.0 / 99.0)));
  REQUIRE(ranked[0].difference == 0.0);
  REQUIRE(ranked[0].tied);
  REQUIRE(ranked[1].assumed == "b");
  REQUIRE(ranked[1].difference == Approx(-50.0));
  REQUIRE(ranked[1].difference_se == Approx(15.0 * std::sqrt(100.0 / 99.0)));
  REQUIRE_FALSE(ranked[1].tied);  // 50 > 2 * 15.08
  REQUIRE(ranked[1].pareto_k_high == 2);
  REQUIRE_FALSE(ranked[2].tied);
  REQUIRE(verdict({"c.csv", 4, 2, ranked}) == "The data prefer a.");
  REQUIRE(verdict({"c.csv", 4, 2, ranked, {}, {"b"}}) ==
          "The data seem to prefer a, but Markov chains had not agreed under b.");
}

TEST_CASE("what is within two standard errors or four nats cannot be told apart",
          "[report][evidence]") {
  // c - a: -3 and 2.5, sum -25 within 2 se of 27.6 each; d - a: -0.03 a participant, without
  // spread.
  const auto ranked = rank_by_evidence({halves("a", -2.0, -4.0), halves("c", -5.0, -1.5),
                                        halves("d", -2.03, -4.03), halves("e", -2.05, -4.05)});
  REQUIRE(ranked[1].assumed == "d");
  REQUIRE(ranked[1].difference_se == Approx(0.0).margin(1e-9));
  REQUIRE(ranked[1].tied);
  REQUIRE(ranked[2].assumed == "e");
  REQUIRE_FALSE(ranked[2].tied);
  REQUIRE(ranked[3].assumed == "c");
  REQUIRE(ranked[3].tied);
  REQUIRE(verdict({"c.csv", 4, 2, ranked}) ==
          "The data cannot tell a, d, c apart: within 2 standard errors of the best, or 4 nats.");
}

TEST_CASE("what chains disagree on is no evidence", "[report][evidence]") {
  // b - a: -1 a participant, without spread; chains of b are 40 off, those of a 30: se 50.
  auto a = halves("a", -2.0, -4.0), b = halves("b", -3.0, -5.0);
  REQUIRE_FALSE(rank_by_evidence({a, b})[1].tied);
  b.elpd_mcse = 40.0;
  REQUIRE_FALSE(rank_by_evidence({a, b})[1].tied);  // 100 > 2 * 40
  a.elpd_mcse = 30.0;
  const auto ranked = rank_by_evidence({a, b});
  REQUIRE(ranked[1].difference_se == Approx(50.0));
  REQUIRE(ranked[1].tied);
  REQUIRE(ranked[0].difference_se == 0.0);

  // By how much they disagree is not known, of either: nothing can be told.
  for (const double unknown : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (const bool of_best : {true, false}) {
      a.elpd_mcse = of_best ? unknown : 0.0;
      b.elpd_mcse = of_best ? 0.0 : unknown;
      const auto told = rank_by_evidence({a, b});
      REQUIRE(told[0].assumed == "a");
      REQUIRE(told[0].difference_se == 0.0);
      REQUIRE(told[1].tied);
    }
  }

  std::vector<FitEvidence> fits{evidence("h1", 0, "one", -1.0, -1.0),
                                evidence("h1", 0, "two", -2.0, -2.0)};
  REQUIRE(preference_tables(fits)[0].rows[0].cells[1].tied == 0);
  fits[1].elpd_mcse = 11.0;
  REQUIRE(preference_tables(fits)[0].rows[0].cells[1].tied == 0);
  fits[1].elpd_mcse = 51.0;
  REQUIRE(preference_tables(fits)[0].rows[0].cells[1].tied == 1);
}

TEST_CASE("stacking weights mix predictions that serve different participants",
          "[report][evidence]") {
  // Each is right for one half and has density 1 / 3 on the other: by symmetry half and half. Where
  // a is right for one participant and b for two, log(1 + 2 w) + 2 log(3 - 2 w) is largest at w = 1
  // / 6.
  const double third = std::log(1.0 / 3.0);
  auto weights = stacking_weights({halves("a", 0.0, third), halves("b", third, 0.0)});
  REQUIRE(weights[0] == Approx(0.5).margin(1e-6));
  AssumedFit a{"a", {0.0, third, third}, 0.0, 0}, b{"b", {third, 0.0, 0.0}, 0.0, 0};
  weights = stacking_weights({a, b});
  REQUIRE(weights[0] == Approx(1.0 / 6.0).margin(1e-5));
  REQUIRE(weights[0] + weights[1] == Approx(1.0));
  // One that is better for everybody gets all.
  REQUIRE(stacking_weights({halves("a", -1.0, -1.0), halves("b", -3.0, -2.0)})[0] ==
          Approx(1.0).margin(1e-6));
  // Far below the range of exp: only differences count.
  REQUIRE(stacking_weights({halves("a", -1e5, -1e5 + third), halves("b", -1e5 + third, -1e5)})[0] ==
          Approx(0.5).margin(1e-6));
}

TEST_CASE("a cohort counts where every assumed hypothesis has scores", "[report][evidence]") {
  const auto tables = preference_tables(some_evidence());
  REQUIRE(tables.size() == 1);
  const auto& table = tables[0];
  REQUIRE(table.methods == std::vector<std::string>{"one", "two"});
  REQUIRE(table.rows.size() == 2);
  REQUIRE(table.rows[0].ranked == 2);
  // Cohort 0: one by 100; cohort 1: two by 50 / 64, which is too little to tell.
  REQUIRE(table.rows[0].cells[0].preferred == 1);
  REQUIRE(table.rows[0].cells[0].tied == 2);
  REQUIRE(table.rows[0].cells[0].mean_difference == Approx(-25.0 / 64.0));
  REQUIRE(table.rows[0].cells[0].difference_se == Approx(5.0 / 128.0 * std::sqrt(100.0 / 99.0)));
  REQUIRE(table.rows[0].cells[1].preferred == 1);
  REQUIRE(table.rows[0].cells[1].tied == 1);
  REQUIRE(table.rows[0].cells[1].mean_difference == Approx(-50.0));
  REQUIRE(table.rows[1].ranked == 1);
  REQUIRE(table.rows[1].planned == 2);
  REQUIRE(table.rows[1].cells[0].preferred == 0);
  REQUIRE(table.rows[1].cells[1].preferred == 1);
  REQUIRE(preference_tables({{scored("h1", 0, "debm", 0.0), {}}}).empty());
}

TEST_CASE("evidence tables in each format", "[report][evidence]") {
  const auto tables = preference_tables(some_evidence());
  const std::vector<std::string> axes{"cohorts.participants"};
  SECTION("table") {
    REQUIRE_THAT(render(tables, {}, axes, "table"),
                 Contains("cohorts of  ranked  one           two\n"
                          "h1          2/2     1 (2) -0.4    1 (1) -50.0\n"
                          "h_2         1/2     0 (0) -100.0  1 (1) 0.0\n"));
  }
  SECTION("markdown") {
    REQUIRE_THAT(render(tables, {}, axes, "markdown"),
                 Contains("| h1 | 2/2 | 1 (2) -0.4 | 1 (1) -50.0 |\n"));
  }
  SECTION("latex") {
    REQUIRE_THAT(render(tables, {}, axes, "latex"),
                 Contains("h\\_2 & 1/2 & 0 (0) -100.0 & 1 (1) 0.0 \\\\\n"));
  }
  SECTION("csv") {
    REQUIRE_THAT(render(tables, {}, axes, "csv"),
                 Contains("cohorts.participants,hypothesis,method,preferred,tied,mean_difference,"
                          "difference_se,ranked,planned\n"
                          "100,h1,one,1,2,-0.390625,0.039"));
  }
  SECTION("json") {
    const auto json = nlohmann::json::parse(render(tables, {}, axes, "json"));
    REQUIRE(json["tables"][0]["rows"][1]["cells"][1]["preferred"] == 1);
  }
  SECTION("confusable pairs are named") {
    std::vector<FitEvidence> alike{evidence("h1", 0, "one", -1.0, -1.0),
                                   evidence("h1", 0, "two", -1.0, -1.01)};
    REQUIRE_THAT(render(preference_tables(alike), {}, axes, "table"),
                 Contains("cannot be told apart on most cohorts of h1: one, two\n"));
  }
}

TEST_CASE("rankings of cohorts in each format", "[report][evidence]") {
  const std::vector<AssumedFit> first{halves("h1", -1.0, -1.0), halves("h3", -2.0, -2.0)},
      second{halves("h1", -1.0, -1.0), halves("h3", -1.0, -1.012)};
  const std::vector<CohortRanking> rankings{{"a.csv", 100, 5, rank_by_evidence(first)},
                                            {"b.csv", 100, 5, rank_by_evidence(second)}};
  REQUIRE(render(rankings, "table") ==
          "a.csv: 100 participants, 5 biomarkers\n"
          "hypothesis  elpd_loo  difference  se   elpd_waic  k > 0.7\n"
          "h1          -100.0    0.0         0.0  1.5        2\n"
          "h3          -200.0    -100.0      0.0  1.5        2\n"
          "The data prefer h1.\n\n"
          "b.csv: 100 participants, 5 biomarkers\n"
          "hypothesis  elpd_loo  difference  se   elpd_waic  k > 0.7\n"
          "h1          -100.0    0.0         0.0  1.5        2\n"
          "h3          -100.6    -0.6        0.1  1.5        2\n"
          "The data cannot tell h1, h3 apart: within 2 standard errors of the best, or 4 nats.\n\n"
          "2 cohorts\n"
          "hypothesis  best  best or cannot be told from it  mean difference\n"
          "h1          2/2   2/2                             0.0\n"
          "h3          0/2   1/2                             -50.3\n");
  const auto json = nlohmann::json::parse(render(rankings, "json"));
  REQUIRE(json["cohorts"][1]["hypotheses"][1]["tied"] == true);
  REQUIRE(json["cohorts"][0]["participants"] == 100);
  REQUIRE_THAT(render(rankings, "csv"), Contains("\nb.csv,2,h3,-100."));
}

}  // namespace tempo::test
