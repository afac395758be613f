// The analysis of a real cohort: tempo results --table orders, ranks, ...

#include <algorithm>
#include <nlohmann/json.hpp>

#include "real_run.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

const std::vector<std::string> kTables{"orders",   "ranks",  "consensus", "positional-variance",
                                       "timeline", "groups", "stages",    "participants",
                                       "agreement"};  // not subtypes: stage_test has them

}  // namespace

TEST_CASE("tempo results shows the analysis of a real cohort", "[cli][analysis]") {
  const RealRun program;
  SECTION("every table in every format") {
    for (const auto& table : kTables)
      for (const auto* format : {"table", "csv", "json", "latex", "markdown"}) {
        const auto outcome =
            program.tempo(fmt::format("results run --table {} --format {}", table, format));
        INFO(table << " " << format << " " << outcome.errors);
        REQUIRE(outcome.code == 0);
        REQUIRE_THAT(outcome.output, Contains("probe"));
      }
  }
  SECTION("orders of methods and models") {
    REQUIRE_THAT(
        program.tempo("results run --table orders").output,
        Contains(
            "probe          b2 *, b1 *, b0 *\nlearner on h3  "));  // six people tell nothing apart
  }
  SECTION("orders and consensus unless another table is asked for") {
    const auto orders = program.tempo("results run --table orders").output;
    REQUIRE(program.tempo("results run").output ==
            orders + "\n" + program.tempo("results run --table consensus").output);
    REQUIRE(program.tempo("results run --format csv").output ==
            program.tempo("results run --table orders --format csv").output);
    REQUIRE_THAT(program.tempo("results run --fits probe").output,
                 Contains("\nprobe ") && !Contains("learner"));
    REQUIRE_THAT(program.tempo("results run --metric seconds").output, !Contains("consensus"));
  }
  SECTION("ranks are no times: they are shown if asked for, and called what they are") {
    const auto timeline = program.tempo("results run --table timeline");
    REQUIRE_THAT(timeline.output, Contains("probe") && !Contains("learner") &&
                                      Contains("1 fit is left out: under their hypotheses events "
                                               "have ranks, and no times; --fits shows "
                                               "them\n"));
    REQUIRE_THAT(program.tempo("results run --table timeline --fits learner").output,
                 Contains("learner on h3 (ranks)"));
    const auto rows = rows_of(
        program.tempo("results run --table timeline --fits learner --fits probe --format csv")
            .output);
    const auto scale = static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), "scale") -
                                                rows[0].begin());
    for (std::size_t i = 1; i < rows.size(); ++i)
      REQUIRE(rows[i][scale] == (rows[i][1] == "learner" ? "rank" : "time"));
  }
  SECTION("what is in doubt, and what does not separate, is marked") {
    program.experiment(edited(
        edited(kRealExperiment, "plugin = \"learner\"", "plugin = \"learner\"\nwarns = true"),
        "plugin = \"probe\"", "plugin = \"probe\"\nwarns = true"));
    program.write("clinic.csv", kMany);
    REQUIRE(program.tempo("run e.toml --out marked").code == 0);
    for (const std::string table : {"orders", "ranks", "consensus"}) {
      INFO(table);
      const auto output = program.tempo("results marked --table " + table).output;
      REQUIRE_THAT(output, !Contains("probe *") && Contains("learner on h3 *") &&
                               Contains("b0 *") && !Contains("b1 *"));
      REQUIRE_THAT(output, Contains("\n* learner on h3: the last epoch was no better\n") &&
                               Contains("\n* b0: do not tell healthy from diseased"));
      const auto rows =
          rows_of(program.tempo("results marked --table " + table + " --format csv").output);
      REQUIRE(rows[0][rows[0].size() - 2] == "doubts");
      REQUIRE(rows[0].back() == "separates");
      for (const auto& row : rows) {
        if (std::find(row.begin(), row.end(), "b0") != row.end()) REQUIRE(row.back() == "false");
        if (std::find(row.begin(), row.end(), "b2") != row.end()) REQUIRE(row.back() == "true");
        for (const auto& [method, doubts] : {std::pair("probe", "0"), {"learner", "1"}})
          if (table != "consensus" && std::find(row.begin(), row.end(), method) != row.end())
            REQUIRE(row[row.size() - 2] == doubts);
      }
    }
    REQUIRE_THAT(program.tempo("results run").output,
                 !Contains("probe *") && !Contains("learner on h3 *"));
  }
  SECTION("replicates are counted, and within a method") {
    const auto outcome = program.tempo("results run --table ranks --fits probe");
    REQUIRE_THAT(outcome.output,
                 Contains("rank within a method: mean over resampled participants, and "
                          "from 20 replicates on 95 % interval\nbiomarker  probe\n"));
    REQUIRE_THAT(program.tempo("results run --table positional-variance").output,
                 Contains("probe, over 3 cohorts of resampled participants"));
  }
  SECTION("diagnoses come in the order of the description") {
    REQUIRE_THAT(
        program.tempo("results run --table groups").output,
        Contains(
            "fit            CN (n = 2)                   mild (n = 2)                 AD (n = 2)"));
  }
  SECTION("a part of the fits") {
    REQUIRE_THAT(program.tempo("results run --table consensus --fits 'learner on h3'").output,
                 Contains("consensus of 1 fits") && !Contains("probe"));
    const auto outcome = program.tempo("results run --table consensus --fits proba");
    REQUIRE(outcome.code == 2);
    REQUIRE(
        outcome.errors ==
        "tempo results: --fits: no fit 'proba'; expected 'learner', 'learner on h3' or 'probe'; "
        "did you mean 'probe'?\n1 problem; nothing was run.\n");
    REQUIRE_THAT(program.tempo("results run --table summary --fits probe").errors,
                 Contains("tempo results: --fits is for tables of a real cohort\n"));
  }
  SECTION("failed fits are left out and said to be") {
    program.experiment(
        edited(kRealExperiment, "plugin = \"learner\"", "plugin = \"learner\"\nfails_on = \"h3\""));
    REQUIRE(program.tempo("run e.toml --out failing").code == 1);
    const auto outcome = program.tempo("results failing --table orders");
    REQUIRE(outcome.code == 0);
    REQUIRE(outcome.errors ==
            "note: clinic.toml: 1 of 2 fits; the others have failed or are still "
            "to be made\n");
    REQUIRE_THAT(outcome.output, !Contains("learner"));
  }
}

TEST_CASE("the analysis is of real cohorts only", "[cli][analysis]") {
  const Program program;
  program.experiment(kExperiment);
  REQUIRE(program.tempo("run e.toml --out run").code == 0);
  const auto outcome = program.tempo("results run --table ranks");
  REQUIRE(outcome.code == 2);
  REQUIRE(
      outcome.errors ==
      "run: has no table 'ranks': it is of a real cohort ([cohorts] source = \"table\"), and the "
      "cohorts of this run are simulated or have a truth\n1 problem; nothing was run.\n");
  REQUIRE_THAT(program.tempo("stage run e.toml").errors, Contains("run: has no real cohort"));
}

TEST_CASE("what evidence on a real cohort rests on is said with it", "[cli][analysis]") {
  const Program program;
  program.write("clinic.toml", kPeopleTable);
  program.write("clinic.csv", kMany);
  const std::string method = "[[method]]\nplugin = \"bayes\"\niterations = 100\nburn_in = 50\n";
  const std::string study =
      "schema = 1\nseed = 7\n[cohorts]\nsource = \"table\"\npath = \"clinic.toml\"\nbiomarkers = "
      "\"estimate\"\n[[hypothesis]]\nplugin = \"h1\"\n[[hypothesis]]\nplugin = \"h3\"\n" +
      method;
  program.experiment(study);
  REQUIRE(program.tempo("run e.toml --out known").code == 0);
  const std::string caveat =
      "bayes took the distributions of [cohorts] for known, two normals under every hypothesis: ";
  REQUIRE_THAT(program.tempo("results known --table evidence").output, Contains("\n" + caveat));
  REQUIRE_THAT(program.tempo("results known --table evidence --format csv").errors,
               Contains("note: " + caveat));
  const auto json =
      nlohmann::json::parse(program.tempo("results known --table evidence --format json").output);
  REQUIRE_THAT(json["caveats"][0].get<std::string>(), Contains(caveat));
  program.experiment(study + "parameters = \"estimate\"\n");
  REQUIRE(program.tempo("run e.toml --out found").code == 0);
  const auto found = program.tempo("results found --table evidence");
  REQUIRE_THAT(found.output, Contains("bayes under h3") && !Contains("for known"));
}

}  // namespace tempo::test
