#include "report/evidence_tables.hpp"

#include <nlohmann/json.hpp>

#include "some_evidence.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

}  // namespace

TEST_CASE("a verdict says which hypotheses cannot be told apart", "[report][evidence]") {
  auto ranked =
      rank_by_evidence({halves("b", -4.0, -3.0), halves("a", -2.0, -4.0), halves("c", -9.0, -9.0)});
  REQUIRE(verdict({"c.csv", 4, 2, ranked}) == "The data prefer a.");
  REQUIRE(verdict({"c.csv", 4, 2, ranked, {}, {"b"}}) ==
          "The data seem to prefer a, but Markov chains had not agreed under b.");
  ranked = rank_by_evidence({halves("a", -2.0, -4.0), halves("c", -5.0, -1.5),
                             halves("d", -2.03, -4.03), halves("e", -2.05, -4.05)});
  REQUIRE(verdict({"c.csv", 4, 2, ranked}) ==
          "The data cannot tell a, d, c apart: within 2 standard errors of the best, or 4 nats.");
}

TEST_CASE("caveats name hypotheses with other measurements where they are known",
          "[report][evidence]") {
  auto on_real = evidence("", 0, "one", -1.0, -1.0);
  on_real.id.origin = CohortOrigin::real;
  RunDescription run;
  run.methods = {{"one", "", "{}", Distributions::known}};
  REQUIRE(evidence_caveats({on_real}, run) ==
          std::vector<std::string>{
              "one took the distributions of [cohorts] for known, two normals under every "
              "hypothesis: if they were estimated from the cohort, hypotheses with other "
              "measurements lose by that alone, and differences are too sure; a method that "
              "samples them finds them under each"});
  run.hypotheses.resize(2);
  run.hypotheses[0].id = "late";
  run.hypotheses[1].id = "skewed";
  for (auto& hypothesis : run.hypotheses) hypothesis.measures_normals = false;
  REQUIRE_THAT(evidence_caveats({on_real}, run).at(0),
               Contains("with other measurements (late, skewed) lose by that alone"));
  REQUIRE(evidence_caveats({on_real}, {}).empty());
}

TEST_CASE("evidence tables in each format", "[report][evidence]") {
  const auto tables = preference_tables(some_evidence());
  const std::vector<std::string> axes{"cohorts.participants"};
  SECTION("table") {
    REQUIRE_THAT(render(preference_table(tables, {}, axes), TableFormat::table),
                 Contains("cohorts of  ranked  one           two\n"
                          "h1          2/2     1 (2) -0.4    1 (1) -50.0\n"
                          "h_2         1/2     0 (0) -100.0  1 (1) 0.0\n"));
  }
  SECTION("markdown") {
    REQUIRE_THAT(render(preference_table(tables, {}, axes), TableFormat::markdown),
                 Contains("| h1 | 2/2 | 1 (2) -0.4 | 1 (1) -50.0 |\n"));
  }
  SECTION("latex") {
    REQUIRE_THAT(render(preference_table(tables, {}, axes), TableFormat::latex),
                 Contains("h\\_2 & 1/2 & 0 (0) -100.0 & 1 (1) 0.0 \\\\\n"));
  }
  SECTION("csv") {
    REQUIRE_THAT(render(preference_table(tables, {}, axes), TableFormat::csv),
                 Contains("cohorts.participants,hypothesis,method,preferred,tied,mean_difference,"
                          "difference_se,ranked,planned\n"
                          "100,h1,one,1,2,-0.390625,0.039"));
  }
  SECTION("json") {
    const auto json =
        nlohmann::json::parse(render(preference_table(tables, {}, axes), TableFormat::json));
    REQUIRE(json["tables"][0]["rows"][1]["cells"][1]["preferred"] == 1);
  }
  SECTION("confusable pairs are named") {
    std::vector<FitEvidence> alike{evidence("h1", 0, "one", -1.0, -1.0),
                                   evidence("h1", 0, "two", -1.0, -1.01)};
    REQUIRE_THAT(render(preference_table(preference_tables(alike), {}, axes), TableFormat::table),
                 Contains("cannot be told apart on most cohorts of h1: one, two\n"));
  }
}

TEST_CASE("rankings of cohorts in each format", "[report][evidence]") {
  const std::vector<AssumedFit> first{halves("h1", -1.0, -1.0), halves("h3", -2.0, -2.0)},
      second{halves("h1", -1.0, -1.0), halves("h3", -1.0, -1.012)};
  const std::vector<CohortRanking> rankings{{"a.csv", 100, 5, rank_by_evidence(first)},
                                            {"b.csv", 100, 5, rank_by_evidence(second)}};
  REQUIRE(render(ranking_table(rankings), TableFormat::table) ==
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
  const auto json = nlohmann::json::parse(render(ranking_table(rankings), TableFormat::json));
  REQUIRE(json["cohorts"][1]["hypotheses"][1]["tied"] == true);
  REQUIRE(json["cohorts"][0]["participants"] == 100);
  REQUIRE_THAT(render(ranking_table(rankings), TableFormat::csv), Contains("\nb.csv,2,h3,-100."));
}

}  // namespace tempo::test
