#include "report/tables.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "some_results.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

std::string rendered_summary(const std::string& format) {
  const auto& metric = *find_metric("tau_distance");
  return render(summary_table(summarise(some_results(), metric), metric),
                table_format(format).value());
}

std::string shown(const Table& table) { return render(table, TableFormat::table); }

/// Of the method itself, one each.
std::vector<Warning> said(const std::vector<std::string>& texts) {
  std::vector<Warning> out;
  for (const auto& text : texts) out.push_back({Warning::Kind::method, text});
  return out;
}

}  // namespace

// 0.6210 is worked out in summary_test.cpp.
TEST_CASE("a summary in each format", "[report][tables]") {
  SECTION("table") {
    REQUIRE(rendered_summary("table") ==
            "tau distance (share of pairs out of order; 0 is perfect, chance is 0.5):\n"
            "mean ± 95 % interval over 4 cohorts; (n/N): n scored of N planned\n"
            "participants  hypothesis  sa_ebm               a|b, \"c\"\n"
            "              labels      fit                  none\n"
            "100           h1          0.500 ± 0.621 (3/4)  none (0/4)\n"
            "100           h_2         0.125 (1/1)          -\n"
            "- a|b, \"c\": no fit was planned there\n");
  }
  SECTION("markdown: bars are escaped") {
    REQUIRE_THAT(rendered_summary("markdown"),
                 Contains("\n\n| participants | hypothesis | sa_ebm | a\\|b, \"c\" |\n"
                          "|---|---|---|---|\n"
                          "|  | labels | fit | none |\n"
                          "| 100 | h1 | 0.500 ± 0.621 (3/4) | none (0/4) |\n"
                          "| 100 | h_2 | 0.125 (1/1) | - |\n"));
  }
  SECTION("latex: underscores are escaped") {
    REQUIRE_THAT(rendered_summary("latex"), Contains(R"(\begin{tabular}{llrr}
\toprule
participants & hypothesis & sa\_ebm & a|b, "c" \\
\midrule
 & labels & fit & none \\
100 & h1 & 0.500 $\pm$ 0.621 (3/4) & none (0/4) \\
100 & h\_2 & 0.125 (1/1) & - \\
\bottomrule
\end{tabular}
)"));
  }
  SECTION("csv: commas and quotes are quoted, numbers are whole, what is not known is empty") {
    const auto half_width = estimate({0.25, 0.5, 0.75}, 3).half_width.value();
    REQUIRE(rendered_summary("csv") ==
            "cohorts.participants,hypothesis,method,labels,mean,half_width_95,scored,planned\n"
            "100,h1,sa_ebm,fit,0.5," +
                fmt::format("{}", half_width) +
                ",3,4\n"
                "100,h1,\"a|b, \"\"c\"\"\",none,,,0,4\n"
                "100,h_2,sa_ebm,fit,0.125,,1,1\n");
  }
  SECTION("json: what is not known is null") {
    const auto half_width = estimate({0.25, 0.5, 0.75}, 3).half_width.value();
    REQUIRE(nlohmann::json::parse(rendered_summary("json")) == nlohmann::json::parse(R"({
      "metric": "tau_distance",
      "rows": [
        {"sweep": {"cohorts.participants": "100"}, "hypothesis": "h1", "method": "sa_ebm",
         "labels": "fit", "mean": 0.5, "half_width_95": )" + fmt::format("{}", half_width) +
                                                                                     R"(,
         "scored": 3, "planned": 4},
        {"sweep": {"cohorts.participants": "100"}, "hypothesis": "h1", "method": "a|b, \"c\"",
         "labels": "none", "mean": null, "half_width_95": null, "scored": 0, "planned": 4},
        {"sweep": {"cohorts.participants": "100"}, "hypothesis": "h_2", "method": "sa_ebm",
         "labels": "fit", "mean": 0.125, "half_width_95": null, "scored": 1, "planned": 1}
      ]})"));
  }
}

TEST_CASE("results.csv has a row per finished fit", "[report][tables]") {
  REQUIRE(results_csv(some_results()) ==
          "cohorts.participants,hypothesis,cohort,method,trained_on,status,tau_distance,stage_mae,"
          "sequence_mae,seconds,labels,error\n"
          "100,h1,0,sa_ebm,,ok,0.25,2.5,5,0.025000,fit,\n"
          "100,h1,0,\"a|b, \"\"c\"\"\",,failed,,,,0.250000,none,\"a, \"\"quoted\"\" | thing\"\n"
          "100,h1,1,sa_ebm,,ok,0.5,5,10,0.050000,fit,\n"
          "100,h1,2,sa_ebm,,ok,0.75,7.5,15,0.075000,fit,\n"
          "100,h1,2,\"a|b, \"\"c\"\"\",,failed,,,,0.250000,none,other\n"
          "100,h1,3,sa_ebm,,failed,,,,0.250000,fit,did not converge\n"
          "100,h1,3,\"a|b, \"\"c\"\"\",,failed,,,,0.250000,none,other\n"
          "100,h_2,0,sa_ebm,,ok,0.125,1.25,2.5,0.012500,fit,\n");
}

TEST_CASE("results.csv has scores of subtypes where a cohort has some",
          "[report][tables][subtypes]") {
  auto results = some_results();
  results.axes.clear();
  results.rows.resize(3);
  for (auto& row : results.rows) row.id.axis_values.clear();
  auto& scores = results.rows[0].result.scores;
  scores.matched_tau_distance = 0.125;
  scores.assigned_tau_distance = 0.375;
  scores.subtype_number_error = -1.0;
  REQUIRE(results_csv(results) ==
          "hypothesis,cohort,method,trained_on,status,tau_distance,stage_mae,sequence_mae,"
          "matched_tau_distance,assigned_tau_distance,subtype_score,subtype_number_error,seconds,"
          "labels,error\n"
          "h1,0,sa_ebm,,ok,0.25,2.5,5,0.125,0.375,,-1,0.025000,fit,\n"
          "h1,0,\"a|b, \"\"c\"\"\",,failed,,,,,,,,0.250000,none,\"a, \"\"quoted\"\" | thing\"\n"
          "h1,1,sa_ebm,,ok,0.5,5,10,,,,,0.050000,fit,\n");
}

TEST_CASE("each error is shown once, with how often and where first, the most frequent first",
          "[report][tables]") {
  const auto table = failure_table(some_results());
  REQUIRE(shown(table) ==
          "method    fits  first        error\n"
          "a|b, \"c\"  2     h1 cohort 2  other\n"
          "a|b, \"c\"  1     h1 cohort 0  a, \"quoted\" | thing\n"
          "sa_ebm    1     h1 cohort 3  did not converge\n");
  REQUIRE_THAT(render(table, TableFormat::json), Contains("\"fits\": 2"));
  REQUIRE(failure_table({}).empty());
  REQUIRE(render(failure_table({}), TableFormat::csv) ==
          "method,fits,replicates,first,status,error\n");
}

TEST_CASE("each warning is shown once, with how often and where first", "[report][tables]") {
  auto results = some_results();
  REQUIRE(warning_table(results, {}).empty());
  results.rows[2].result.warnings = said({"b3 has no healthy values", "few iterations"});
  results.rows[4].result.warnings = said({"few iterations"});
  REQUIRE(shown(warning_table(results, {})) ==
          "method  fits  first        warning\n"
          "sa_ebm  2     h1 cohort 1  few iterations\n"
          "sa_ebm  1     h1 cohort 1  b3 has no healthy values\n");
}

TEST_CASE("warnings of replicates are counted apart", "[report][tables]") {
  RunResults results{"name", {}, {}};
  for (std::size_t cohort = 0; cohort < 4; ++cohort) {
    auto& [id, result] = results.rows.emplace_back();
    id.origin = CohortOrigin::real;
    id.cohort = cohort;
    id.method = "debm";
    result.status = FitStatus::ok;
    result.warnings = said({cohort < 3 ? "few iterations" : "one value"});
  }
  REQUIRE(shown(warning_table(results, {})) ==
          "method  fits  replicates  first          warning\n"
          "debm    1     2           real cohort 0  few iterations\n"
          "debm    0     1           real cohort 3  one value\n");
  REQUIRE_THAT(render(warning_table(results, {}), TableFormat::csv),
               Contains("debm,1,2,real cohort 0,few iterations\n"));
  REQUIRE_THAT(warnings_in_short(results, {}, "here"),
               Contains("such as this (1 fit and 2 replicates of debm):"));
  results.rows.erase(results.rows.begin());
  REQUIRE_THAT(warnings_in_short(results, {}, "here"), Contains("(2 replicates of debm)"));
}

TEST_CASE("what several methods say of the data is one line", "[report][tables]") {
  auto results = some_results();
  results.rows[0].result.warnings = said({"b1 is tied"});  // sa_ebm, h1 cohort 0
  results.rows[4].result.warnings = said({"b1 is tied", "few iterations"});
  results.rows[4].id.method = "debm";
  REQUIRE(shown(warning_table(results, {})) ==
          "method        fits  first        warning\n"
          "debm, sa_ebm  2     h1 cohort 0  b1 is tied\n"
          "debm          1     h1 cohort 2  few iterations\n");
}

TEST_CASE("trainings warn before fits do", "[report][tables]") {
  auto results = some_results();
  results.rows[2].result.warnings = said({"few iterations"});
  ModelRecord model;
  model.method = "net";
  model.trained_on = "h1";
  model.warnings = {"no better than chance"};
  REQUIRE(shown(warning_table(results, {model})) ==
          "method  fits  first           warning\n"
          "net           training on h1  no better than chance\n"
          "sa_ebm  1     h1 cohort 1     few iterations\n");
}

TEST_CASE("warnings in short are three lines at most, none wider than a screen",
          "[report][tables]") {
  auto results = some_results();
  const auto in_short = [&] { return warnings_in_short(results, {}, "all of them: here", 40); };
  REQUIRE(in_short().empty());
  results.rows[2].result.warnings = said({"few iterations"});
  REQUIRE(in_short() == "warning (1 fit of sa_ebm): few iteratio…\nall of them: here\n");
  results.rows[4].result.warnings =
      said({"few iterations", "the chains disagree on the rank of an event"});
  REQUIRE(in_short() ==
          "2 different warnings, such as this (2 f…\n"
          "  few iterations\n"
          "all of them: here\n");
}

TEST_CASE("a summary of differences says from what", "[report][tables]") {
  const auto& metric = *find_metric("tau_distance");
  auto summary = summarise(some_results(), metric);
  summary.reference = "TEMPO";
  REQUIRE_THAT(render(summary_table(summary, metric), TableFormat::table),
               Catch::Matchers::Contains(", minus that of TEMPO on the same cohort:\nmean"));
  REQUIRE(nlohmann::json::parse(
              render(summary_table(summary, metric), TableFormat::json))["minus"] == "TEMPO");
}

TEST_CASE("fits of real cohorts are counted, and their replicates apart", "[report][tables]") {
  RunResults results{"name", {"seed"}, {}};
  const auto add = [&](const std::string& assumed, std::size_t cohort, FitStatus status) {
    auto& [id, result] = results.rows.emplace_back();
    id.axis_values = {"7"};
    id.origin = CohortOrigin::real;
    id.cohort = cohort;
    id.method = "one";
    id.assumed = assumed;
    id.labels = "fit";
    result.status = status;
    result.seconds = 0.5;
  };
  add("h1", 0, FitStatus::ok);
  add("h1", 1, FitStatus::ok);
  add("h1", 2, FitStatus::failed);
  add("", 0, FitStatus::pending);
  REQUIRE(shown(real_fit_table(results)) ==
          "seed  method  labels  under or trained on  fitted  replicates  seconds per fit\n"
          "7     one     fit     h1                   1/1     1/2         0.500\n"
          "7     one     fit     -                    0/1     -           -\n");
  REQUIRE(real_fit_table(some_results()).empty());
}

TEST_CASE("traces have a row per point", "[report][tables]") {
  const auto table =
      trace_table({{scored("h1", 2, "one", 0.0).id, matrix({{-2.5, -1}})}}, {"seed"});
  REQUIRE(render(table, TableFormat::csv) ==
          "seed,hypothesis,cohort,method,trained_on,chain,point,log_likelihood\n"
          "100,h1,2,one,,0,0,-2.5\n"
          "100,h1,2,one,,0,1,-1\n");
  REQUIRE_THAT(shown(table),
               Catch::Matchers::Contains("log-likelihoods along Markov chains\nseed  hypothesis"));
}

}  // namespace tempo::test
