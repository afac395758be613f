// tempo compare: which hypothesis a cohort supports.

#include <algorithm>

#include "compared.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

/// A method that infers under a hypothesis and gives everybody the same score.
const std::string kProbe = " --method assuming_probe --plugin-path '" TEMPO_ASSUMING_PROBES "' ";

}  // namespace

TEST_CASE("tempo compare ranks hypotheses and says what the data prefer", "[cli][compare]") {
  const Compared program;
  const auto outcome = program.tempo(kKnown + "h3,h5");
  REQUIRE(outcome.code == 0);
  REQUIRE_THAT(outcome.output,
               StartsWith("c.csv: 120 participants, 5 biomarkers\n"
                          "hypothesis  elpd_loo  difference  se    elpd_waic  k > 0.7\n"
                          "h3  "));
  REQUIRE_THAT(outcome.output, Contains("\nThe data prefer h3.\n"));

  SECTION("the same whatever the number of jobs, the order asked for, and what else is compared") {
    const auto all = ranking(program.tempo(kKnown + "h5,h1,h3 --format json --jobs 1"));
    const auto two = ranking(program.tempo(kKnown + "h3,h5 --format json --jobs 2"));
    REQUIRE(all.size() == 3);
    REQUIRE(two.size() == 2);
    for (const auto& found : two)
      for (const auto& same : all)
        if (same["hypothesis"] == found["hypothesis"]) {
          REQUIRE(same["elpd_loo"] == found["elpd_loo"]);
          REQUIRE(same["elpd_waic"] == found["elpd_waic"]);
        }
    REQUIRE(two[0]["difference"] == 0.0);
    REQUIRE(two[0]["elpd_loo"].get<double>() + two[1]["difference"].get<double>() ==
            Approx(two[1]["elpd_loo"].get<double>()));
  }
  SECTION("into a file") {
    const auto to_file = program.tempo(kKnown + "h3,h5 --out found.txt");
    REQUIRE(to_file.code == 0);
    REQUIRE(to_file.output.empty());
    REQUIRE(program.text("found.txt") == outcome.output);
  }
  SECTION("estimated distributions, and what could not be fitted, are said beside the verdict") {
    const auto estimated =
        program.tempo("compare c.csv --hypotheses h3,h1 --set parameters=estimate");
    REQUIRE_THAT(estimated.output, Contains("\nDistributions were estimated from the cohort"));
    REQUIRE_THAT(outcome.output, !Contains("were estimated"));
    const auto failed =
        program.tempo(kKnown + "h3,bad_hypothesis --plugin-path '" TEMPO_BAD_PLUGINS "'");
    REQUIRE(failed.code == 1);
    REQUIRE_THAT(
        failed.output,
        Contains("\nNot ranked, because the fit failed or the law is wrong: bad_hypothesis.\n"));
    REQUIRE_THAT(
        failed.errors,
        Contains("c.csv, under bad_hypothesis: ") &&
            Contains("cannot infer under hypothesis 'bad_hypothesis': it is not composed of parts: "
                     "not in the ranking\n"));
  }
  SECTION("several cohorts: how often each is the best") {
    const auto several =
        program.tempo(edited(kKnown, "c.csv", "c.csv cohorts/exp3/*_m1.csv") + "h3,h5");
    REQUIRE(several.code == 0);
    REQUIRE_THAT(several.output, StartsWith(outcome.output) && Contains("\n2 cohorts\n") &&
                                     Contains("\nh3          2/2   2/2 "));
  }
}

TEST_CASE("hypotheses with settings are compared from the tables of an experiment",
          "[cli][compare]") {
  const Compared program;  // e.toml has h3 and `late`, composed with Beta(8, 2) for stages
  const std::string known =
      "compare c.csv --biomarkers five.toml --format json --experiment e.toml ";
  const auto all = ranking(program.tempo(known));
  REQUIRE(all.size() == 2);
  REQUIRE(all[0]["hypothesis"] == "h3");
  REQUIRE(all[1]["hypothesis"] == "late");
  REQUIRE(all[1]["difference"].get<double>() < -4.0);  // most of h3's are not late

  const auto some = ranking(program.tempo(known + "--hypotheses late,h1"));
  REQUIRE(some.size() == 2);
  for (const auto& found : some)
    if (found["hypothesis"] == "late") REQUIRE(found["elpd_loo"] == all[1]["elpd_loo"]);

  program.write("own.toml", R"([[hypothesis]]
plugin = "composed"
stage_prior = "beta"
measurement_model = { plugin = "ebm_normal", noise = 1 }
[[hypothesis]]
id = "composed"
plugin = "h3"
)");
  REQUIRE_THAT(
      program.tempo("compare c.csv --experiment own.toml").errors,
      StartsWith("own.toml:4:") && Contains("unknown key 'noise'") &&
          Contains("own.toml:5:1: hypothesis 'composed' is defined twice; give one of them "
                   "another id = \"...\"\n"));
  program.write("own.toml", "seed = 1\n");
  REQUIRE_THAT(program.tempo("compare c.csv --experiment own.toml").errors,
               StartsWith("own.toml: has no [[hypothesis]]: expected at least one"));
}

TEST_CASE("any method that infers under a hypothesis compares them", "[cli][compare]") {
  const Compared program;
  const auto outcome = program.tempo(kKnown + "h3,h5" + kProbe);
  REQUIRE(outcome.code == 0);
  REQUIRE_THAT(outcome.output, Contains("\nThe data cannot tell h3, h5 apart"));
  REQUIRE_THAT(outcome.output, Contains("h5          -120.0    0.0 "));

  REQUIRE_THAT(
      program.tempo("compare c.csv --hypotheses h3" + kProbe).errors,
      StartsWith("--method: method 'assuming_probe' needs to know the distributions of the "
                 "biomarkers: give --biomarkers\n"));
  REQUIRE_THAT(
      program.tempo(kKnown + "h3 --method debm_gmm").errors,
      StartsWith("--method: 'debm_gmm' infers under no hypothesis: it cannot compare them\n"));
  REQUIRE_THAT(program.tempo(kKnown + "h3 --method bays").errors,
               StartsWith("--method: unknown method 'bays'; expected "));
}

TEST_CASE("a comparison that is interrupted writes nothing and says so", "[cli][compare]") {
  const Compared program;
  // The program itself, so that $! is its own.
  const auto interrupted_in_third_fit = [&](const std::string& cohorts) {
    return program.shell(
        "rm -f go log found.txt; until_ok() { for i in $(seq 600); do sh -c \"$1\" && return; "
        "sleep 0.1; "
        "done; }; '" TEMPO_TEST_PROGRAM "' compare " +
        cohorts + " --biomarkers five.toml --hypotheses h1,h3,h5 --jobs 1" + kProbe +
        "--set waits_for=go --set log=log --out found.txt 2>err & pid=$!; "
        "trap 'kill -9 $pid 2>/dev/null' EXIT; until_ok '[ -f log ] && [ $(wc -l < log) -ge 3 ]'; "
        "kill -INT $pid; until_ok 'grep -q stopping err'; touch go; wait $pid");
  };
  // The third fit was in flight; nothing was left to begin, so that all is there ...
  REQUIRE(interrupted_in_third_fit("c.csv").code == 0);
  REQUIRE(program.has("found.txt"));
  // ... while of two cohorts' fits most had not begun.
  const auto early = interrupted_in_third_fit("c.csv cohorts/exp3/*_m1.csv");
  REQUIRE(early.code == 130);
  REQUIRE_FALSE(program.has("found.txt"));
  REQUIRE_THAT(program.text("err"), Contains("interrupted: nothing was written\n"));
  REQUIRE(program.lines("log").size() == 3);
}

TEST_CASE("what makes a cohort doubtful is said once, whatever is assumed", "[cli][compare]") {
  const Compared program;
  REQUIRE(program
              .shell("awk -F, -v OFS=, '$2 == \"b0\" { $3 = $3 * 1000 } $2 == \"b1\" { $3 = 2 } 1' "
                     "c.csv | sed 's/b1,1000*,/b1,2,/' > odd.csv; "
                     "awk -F, 'NR == 1 || $4 == \"True\"' c.csv > ill.csv")
              .code == 0);
  const auto outcome =
      program.tempo("compare odd.csv ill.csv --biomarkers five.toml --hypotheses h3,h1" + kProbe);
  REQUIRE_THAT(
      outcome.errors,
      Contains("warning: odd.csv: the median of 'b0' in the healthy is ") &&
          Contains(" sds from the table's mean before the event, 0: it may be in other units\n") &&
          Contains("warning: odd.csv: 'b1' is 2 in everybody: it says nothing\n") &&
          Contains("warning: ill.csv: no participant is healthy: "));
  REQUIRE(split(outcome.errors, '\n').size() == 3);

  // On a terminal, here one that `script` makes, the lines are broken.
  const auto shown =
      program.shell("script -qec \"'" TEMPO_TEST_PROGRAM
                    "' compare odd.csv ill.csv --biomarkers five.toml --hypotheses h3,h1" +
                    kProbe + "\" /dev/null < /dev/null | tr -d '\\r' | grep -A3 '^warning: '");
  REQUIRE(shown.code == 0);
  REQUIRE(split(shown.output, '\n').size() > 3);
  for (const auto& line : split(shown.output, '\n')) REQUIRE(line.size() <= 120);
}

TEST_CASE("faults of tempo compare are named all at once, and nothing is written",
          "[cli][compare]") {
  const Compared program;
  const auto [arguments, report] = GENERATE(table<std::string, std::string>({
      {"c.csv none.csv --format xml --hypotheses h1,,h1 --set chain=1 --biomarkers six.toml --out "
       "c.csv",
       "tempo compare: unknown format 'xml'; expected 'table', 'csv' or 'json'\n"
       "--out: 'c.csv' is read, and would be overwritten\n"
       "--hypotheses: an empty name in 'h1,,h1'; expected such as h1,h2\n"
       "--hypotheses: 'h1' is given twice\n"
       "--set chain=1: unknown key 'chain' in method 'bayes'; expected 'parameters', 'subtypes', 'most_subtypes', "
       "'subtype_orders', 'subtype_sizes', 'starts', 'chains', 'burn_in', 'iterations' or 'replications'; did you mean "
       "'chains'?\n"
       "--biomarkers: no such file 'six.toml' (a path is relative to the current folder); shipped "
       "tables: "
       "adni-12, synthetic-100\n"
       "none.csv: no such file\n7 problems"},
      {"c.csv --set parameters=known",
       "--set parameters=known: parameters that are known come from --biomarkers, which is "
       "missing\n"
       "1 problem"},
      {"c.csv --biomarkers adni-12",
       "c.csv: has biomarkers that the table of --biomarkers lacks: b0, b1, b2, b3, b4; without "
       "--biomarkers their distributions are inferred, too\n1 problem"},
      {"c.csv ./c.csv c.csv",
       "./c.csv: holds the same cohort as 'c.csv'\nc.csv: is given twice\n2 problems"},
      {"", "tempo compare: COHORT is missing (see tempo compare --help)\n1 problem"},
  }));
  const auto before = program.text("c.csv");
  const auto outcome = program.tempo("compare " + arguments);
  REQUIRE(outcome.errors == report + "; nothing was run.\n");
  REQUIRE(outcome.output.empty());
  REQUIRE(outcome.code == 2);
  REQUIRE(program.text("c.csv") == before);
  REQUIRE_THAT(program.tempo("compare c.csv --hypotheses h33").errors,
               StartsWith("--hypotheses: unknown hypothesis 'h33'; expected "));
}

TEST_CASE("a cohort that cannot be fitted is named, the others are ranked", "[cli][compare]") {
  const Compared program;
  REQUIRE(program.shell("awk -F, -v OFS=, '$2 == \"b0\" { $3 = 1 } 1' c.csv > constant.csv").code ==
          0);
  const auto outcome = program.tempo("compare constant.csv c.csv --hypotheses h3,h1");
  REQUIRE(outcome.code == 1);
  REQUIRE_THAT(
      outcome.errors,
      StartsWith("warning: constant.csv: 'b0' is 1 in everybody: it says nothing\n") &&
          Contains("constant.csv, under h3, h1: plugin bayes, while fitting: biomarker 'b0'"));
  REQUIRE_THAT(outcome.output, StartsWith("c.csv: 120 participants, 5 biomarkers\n"));
}

TEST_CASE("scores rather than measurements are doubted before the fits", "[cli][compare]") {
  const Compared program;
  REQUIRE(
      program
          .shell("awk -F, -v OFS=, 'NR > 1 && $2 == \"b0\" { $3 = ($1 + 0) % 4 } "
                 "NR > 1 && $2 == \"b1\" { $3 = $4 == \"True\" ? $3 : 1 } 1' c.csv > scores.csv")
          .code == 0);
  const auto outcome =
      program.tempo("compare scores.csv --hypotheses h3,h1 --set iterations=20 --set burn_in=10");
  REQUIRE_THAT(
      outcome.errors,
      StartsWith(
          "warning: scores.csv: 'b0' has 4 values among 120 participants: hypotheses with other "
          "kinds of "
          "measurements differ by what they make of rounding, too\n"
          "warning: scores.csv: 'b1' is 1 in all healthy participants: its distributions cannot be "
          "estimated; leave it out\n"));
}

TEST_CASE("few participants make errors of differences uncertain", "[cli][compare]") {
  const Compared program;
  REQUIRE(program.shell("awk -F, 'NR == 1 || $1 + 0 < 90' c.csv > few.csv").code == 0);
  const auto outcome = program.tempo(
      "compare few.csv --hypotheses h3,h1 --biomarkers five.toml --set iterations=100 --set "
      "burn_in=20");
  REQUIRE_THAT(outcome.output,
               Contains("Of 90 participants the errors of differences are uncertain themselves"));
}

}  // namespace tempo::test
