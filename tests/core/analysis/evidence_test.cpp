#include "analysis/evidence.hpp"

#include <cmath>
#include <limits>

#include "some_evidence.hpp"
#include "support.hpp"

namespace tempo::test {

TEST_CASE("hypotheses are ranked by the sum of scores, their differences paired",
          "[analysis][evidence]") {
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
}

TEST_CASE("what is within two standard errors or four nats cannot be told apart",
          "[analysis][evidence]") {
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
}

TEST_CASE("what chains disagree on is no evidence", "[analysis][evidence]") {
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
          "[analysis][evidence]") {
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

TEST_CASE("a cohort counts where every assumed hypothesis has scores", "[analysis][evidence]") {
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
  REQUIRE(preference_tables({{scored("h1", 0, "debm", 0.0).id, {}}}).empty());
}

TEST_CASE("evidence of real cohorts may rest on distributions that were taken for known",
          "[analysis][evidence]") {
  auto on_real = evidence("", 0, "one", -1.0, -1.0);
  on_real.id.origin = CohortOrigin::real;
  RunDescription run;
  run.methods = {{"two", "", "{}", Distributions::known},
                 {"one", "", "{}", Distributions::known},
                 {"three", "", "{}", Distributions::sampled}};
  run.hypotheses.resize(3);
  run.hypotheses[0].id = "normal";
  run.hypotheses[0].measures_normals = true;
  run.hypotheses[1].id = "skewed";
  run.hypotheses[1].measures_normals = false;
  run.hypotheses[2].id = "unknown";
  auto found = known_distributions({on_real}, run);
  REQUIRE(found.methods == std::vector<std::string>{"one"});  // two gave no scores
  REQUIRE(found.mismatched == std::vector<std::string>{"skewed"});
  REQUIRE(known_distributions({on_real}, {}).methods.empty());
  REQUIRE(known_distributions({evidence("h1", 0, "one", -1.0, -1.0)}, run).methods.empty());
}

TEST_CASE("a hypothesis is refuted beyond two standard errors, and not at two",
          "[analysis][evidence]") {
  const AssumedFit best{"best", {0.0, 0.0}, 0.0, 0};
  // Differences -30 and -10: sum -40, standard error 20. Half a nat more each: -41, and 20.
  const AssumedFit at_two{"at two", {-30.0, -10.0}, 0.0, 0};
  const AssumedFit beyond{"beyond", {-30.5, -10.5}, 0.0, 0};
  const auto found = refuted_hypotheses({{"bayes", {beyond, best, at_two}}});
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].hypothesis == "beyond");
  REQUIRE(found[0].best == "best");
  REQUIRE(found[0].method == "bayes");
  REQUIRE(found[0].difference == -41.0);
  REQUIRE(found[0].difference_se == 20.0);
  REQUIRE(refuted_hypotheses({{"bayes", {beyond}}}).empty());  // nothing to prefer to it
}

TEST_CASE("methods that judge a hypothesis have to refute it together", "[analysis][evidence]") {
  const AssumedFit best{"best", {0.0, 0.0}, 0.0, 0}, near{"other", {-1.0, -1.0}, 0.0, 0};
  const AssumedFit far{"other", {-30.5, -10.5}, 0.0, 0};
  REQUIRE(refuted_hypotheses({{"a", {best, far}}, {"b", {best, near}}}).empty());
  REQUIRE(refuted_hypotheses({{"b", {best, near}}, {"a", {best, far}}}).empty());
  const auto both = refuted_hypotheses({{"a", {best, far}}, {"b", {far, best}}});
  REQUIRE(both.size() == 1);
  REQUIRE(both[0].method == "a");
  // One that judges other hypotheses has no say.
  REQUIRE(refuted_hypotheses({{"a", {best, far}}, {"b", {best, {"third", {-1.0, -1.0}}}}}).size() ==
          1);
}

TEST_CASE("only distributions that were sampled let evidence refute", "[analysis][evidence]") {
  RunDescription run;
  for (const auto& [id, distributions] : {std::pair("known", std::optional(Distributions::known)),
                                          {"estimates", Distributions::estimated},
                                          {"samples", Distributions::sampled},
                                          {"has no choice", std::nullopt}}) {
    auto& method = run.methods.emplace_back();
    method.id = id;
    method.distributions = distributions;
  }
  REQUIRE_FALSE(can_refute("known", run));
  REQUIRE_FALSE(can_refute("estimates", run));
  REQUIRE(can_refute("samples", run));
  REQUIRE(can_refute("has no choice", run));
  REQUIRE(can_refute("known", std::nullopt));
}

}  // namespace tempo::test
