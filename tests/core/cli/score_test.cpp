// tempo score: what any program found, beside the truth.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "program.hpp"
#include "results/store.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

constexpr const char* kToScore = R"(schema = 1
seed = 5
[cohorts]
source = "simulate"
biomarkers = "adni-12"
participants = 60
healthy_ratio = 0.25
test = 2
[[hypothesis]]
plugin = "h3"
[[method]]
plugin = "debm"
column_order = "alphabetical"
)";

}  // namespace

TEST_CASE("tempo score", "[cli][score]") {
  const Program program;
  program.experiment(kToScore);
  REQUIRE(program.tempo("run e.toml --out run").code == 0);
  REQUIRE(program.tempo("simulate e.toml --out cohorts").code == 0);
  SECTION("gives a method's answers the scores that a run gives it") {
    REQUIRE(program.shell("tempo infer debm cohorts/exp3/*.csv --format json > found.json").code ==
            0);
    REQUIRE(program.tempo("score cohorts found.json --method again --out again.csv").code == 0);
    const auto rows = program.lines("again.csv"), run = program.lines("run/results.csv");
    REQUIRE(rows.size() == 3);
    REQUIRE(run.size() == 3);
    REQUIRE(rows[0] ==
            "hypothesis,cohort,method,labels,tau_distance,stage_mae,sequence_mae,rank_log_score,"
            "rank_inside_90,stage_log_score,stage_inside_90");
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const auto field = [&](const std::vector<std::string>& lines, const std::string& name) {
        const auto names = split(lines[0], ','), values = split(lines[i], ',');
        const auto at = std::find(names.begin(), names.end(), name);
        REQUIRE(at != names.end());
        return values.at(static_cast<std::size_t>(at - names.begin()));
      };
      REQUIRE(field(rows, "hypothesis") == "exp3");
      REQUIRE(field(rows, "method") == "again");
      REQUIRE(field(rows, "labels") == "fit");
      for (const auto* metric : {"tau_distance", "stage_mae", "sequence_mae"})
        REQUIRE(std::stod(field(rows, metric)) == Approx(std::stod(field(run, metric))));
    }
    const auto shown = program.tempo("results run --with again.csv");
    INFO(shown.errors);
    REQUIRE(shown.code == 0);
    REQUIRE_THAT(shown.output, Contains("again"));  // exp3 is the run's h3
    REQUIRE_THAT(shown.errors, !Contains("not in the run"));
  }
  SECTION("scores posteriors, and says means") {
    REQUIRE(program
                .shell("tempo infer generalist cohorts/exp3/*.csv --format json --posteriors > "
                       "found.json")
                .code == 0);
    const auto json = program.tempo("score cohorts found.json --format json");
    REQUIRE(json.code == 0);
    const auto parsed = nlohmann::json::parse(json.output);
    REQUIRE(parsed.at("rows").size() == 2);
    for (const auto& row : parsed.at("rows")) {
      REQUIRE(row["method"] == "generalist");
      REQUIRE(row["rank_log_score"].get<double>() < 0.0);
      REQUIRE(row["rank_log_score"].get<double>() > -std::log(12.0));  // better than not to know
      REQUIRE(row["stage_log_score"].get<double>() > -std::log(13.0));
      REQUIRE(row["rank_inside_90"].get<double>() > 0.5);
    }
    const auto table = program.tempo("score cohorts found.json --format table");
    REQUIRE_THAT(table.output, Contains("hypothesis") && Contains("log score of ranks") &&
                                   Contains("exp3        generalist  2"));
  }
  SECTION("scores against the truths that a run keeps as it does against those of files") {
    REQUIRE(program
                .shell("tempo infer generalist cohorts/exp3/*.csv --format json --posteriors > "
                       "found.json")
                .code == 0);
    REQUIRE(program.tempo("score cohorts found.json --out files.csv").code == 0);
    REQUIRE(program.shell("rm -r cohorts").code == 0);
    REQUIRE(program.tempo("score run found.json --out run.csv").code == 0);
    const auto of_files = program.lines("files.csv"), of_run = program.lines("run.csv");
    REQUIRE(of_run.size() == 3);
    REQUIRE(of_run[0] == of_files[0]);
    for (std::size_t i = 1; i < of_run.size(); ++i) {
      const auto there = split(of_files[i], ','), here = split(of_run[i], ',');
      REQUIRE(here.size() == 11);
      REQUIRE(here[0] == "h3");  // as the run has it
      for (std::size_t k = 1; k < 4; ++k) REQUIRE(here[k] == there[k]);
      for (std::size_t k = 4; k < here.size(); ++k)
        REQUIRE(std::stod(here[k]) == Approx(std::stod(there[k])));
    }
    REQUIRE_THAT(program.tempo("results run --with run.csv").output,
                 Contains("generalist (outside)  infer"));
  }
  SECTION("by the metric of a plugin, a run's own methods and others alike") {
    REQUIRE(program.shell("tempo infer debm cohorts/exp3/*.csv --format json > found.json").code ==
            0);
    const std::string metric = " --metric first_event --plugin-path " TEMPO_PROBES;
    REQUIRE(program.tempo("score run found.json --method again --out again.csv" + metric).code ==
            0);
    const auto rows = program.lines("again.csv");
    REQUIRE_THAT(rows[0], Catch::Matchers::EndsWith(",stage_inside_90,first_event"));
    const auto shown = program.tempo("results run --with again.csv --format csv" + metric);
    INFO(shown.output << shown.errors);
    REQUIRE(shown.code == 0);
    // Each of the two methods found the same first events: 0, 1 or 2 of 2.
    const auto found = split(shown.output, '\n');
    REQUIRE(found.size() == 3);
    REQUIRE(split(found[1], ',').size() == split(found[2], ',').size());
    REQUIRE(edited(found[1], "debm", "again") == found[2]);
    const auto always = program.tempo("results run" + metric + " --set among=12 --format csv");
    REQUIRE_THAT(always.output, Contains(",1,") || Contains("1.00"));
    const auto mixed = program.tempo("results run --with again.csv" + metric + " --set among=12");
    REQUIRE(mixed.code == 2);  // scores with another setting are other scores
    REQUIRE_THAT(mixed.errors, Contains("unknown column 'first_event'") &&
                                   Contains("did you mean 'first_event(among=12)'?"));
    REQUIRE(
        program.tempo("results run --set among=12").errors ==
        "--set: is for a metric that is a plugin: name it with --metric\n1 problem; nothing was "
        "run.\n");
    const auto unknown = program.tempo("results run" + metric + " --set amung=12");
    REQUIRE(unknown.code == 2);
    REQUIRE_THAT(unknown.errors, Contains("unknown key 'amung' in metric 'first_event'"));
  }
  SECTION("log scores and coverage are there for a run's own methods, too") {
    REQUIRE(program.tempo("run e.toml --out own --set method.debm.plugin=generalist").code == 0);
    REQUIRE(program
                .shell("tempo infer generalist cohorts/exp3/*.csv --format json --posteriors > "
                       "found.json")
                .code == 0);
    REQUIRE(program.tempo("score own found.json --method again --out again.csv").code == 0);
    for (const std::string metric : {"rank_log_score", "rank_inside_90"}) {
      const auto shown =
          program.tempo("results own --with again.csv --format csv --metric " + metric);
      INFO(shown.output << shown.errors);
      REQUIRE(shown.code == 0);
      const auto found = split(shown.output, '\n');
      REQUIRE(found.size() == 3);
      const auto own = split(found[1], ','), theirs = split(found[2], ',');
      REQUIRE(own.at(1) == "generalist");
      REQUIRE(theirs.at(1) == "again");
      REQUIRE(std::isfinite(std::stod(own.at(3))));
      // Ranks are drawn, from another stream: 2000 of them.
      REQUIRE(std::stod(own.at(3)) == Approx(std::stod(theirs.at(3))).margin(0.1));
      REQUIRE(own.at(5) == "2");  // scored
    }
  }
  SECTION("tells what a run has nothing of") {
    REQUIRE(program.shell("tempo infer debm cohorts/exp3/*.csv --format json > found.json").code ==
            0);
    const auto same = program.tempo("score run found.json");
    REQUIRE(same.code == 2);
    REQUIRE(same.errors ==
            "found.json: 'debm' is one of the run's own methods; give it another name with "
            "--method NAME\n1 problem; nothing was run.\n");
    program.write("b.json", R"({"cohort": "h3/7", "plugin": "mine", "events": [], "stages": []})");
    program.write("c.json", R"({"cohort": "h9/0", "plugin": "mine", "events": [], "stages": []})");
    const auto none = program.tempo("score run b.json c.json");
    REQUIRE(none.code == 2);
    REQUIRE_THAT(none.errors,
                 Contains("b.json: 'h3/7' is no cohort of run; expected a name such as tempo "
                          "simulate gives it, or HYPOTHESIS/NUMBER such as h3/0") &&
                     Contains("c.json: 'h9/0' is no cohort of run") && Contains("2 problems"));
    program.write("d.json", R"({"cohort": "exp3/j60_r0.25_Esn_kjContinuousBeta_xnjNormal_m0.csv",
                                "plugin": "mine", "events": [], "stages": []})");
    const auto other = program.tempo("score run d.json");  // the folder of h3, the name of another
    REQUIRE(other.code == 2);
    REQUIRE_THAT(other.errors, Contains("is no cohort of run; expected"));
    Database(program.path() / "run/results.sqlite", Database::Mode::create)
        .execute("DELETE FROM truths");
    const auto old = program.tempo("score run found.json --method mine");
    REQUIRE(old.code == 2);
    REQUIRE_THAT(old.errors, Contains("run: keeps no truths, as an earlier tempo made it: call "
                                      "tempo run again, which makes no fit anew but keeps them"));
    REQUIRE_THAT(program.tempo("run e.toml --out run").output, Contains("0 fitted, 0 failed, 2"));
    REQUIRE(program.tempo("score run found.json --method mine").code == 0);
  }
  SECTION("tells all faults at once, and writes nothing") {
    program.write("a_m7.json", R"({"plugin": "mine", "events": [], "stages": []})");
    program.write("b.json", R"({"events": []})");
    const auto stem = "j60_r0.25_Esn_kjOrdinalUniform_xnjNormal_m0";
    program.write("c.json", std::string(R"({"cohort": "elsewhere/)") + stem +
                                R"(.csv", "plugin": "mine", "events": [], "stages": []})");
    const auto outcome = program.tempo("score cohorts a_m7.json b.json c.json --out scores.csv");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(outcome.errors,
                 Contains("b.json: does not say what found it ('plugin')") &&
                     Contains("a_m7.json: 'a_m7' is no cohort of cohorts") &&
                     Contains(std::string("c.json: 'elsewhere/") + stem + ".csv' is no cohort"));
    // The same name in two folders: another seed's cohort is not scored unasked.
    REQUIRE(program.shell("cp -r cohorts/exp3 cohorts/other").code == 0);
    program.write(std::string(stem) + ".json", R"({"plugin": "mine", "events": [], "stages": []})");
    const auto either = program.tempo(std::string("score cohorts ") + stem + ".json");
    REQUIRE(either.code == 2);
    REQUIRE_THAT(either.errors, Contains("; name its folder, too"));
    REQUIRE_FALSE(program.has("scores.csv"));
  }
}

TEST_CASE("what a program finds in the cohorts of a sweep stands at their points",
          "[cli][score][sweep]") {
  const Program program;
  program.experiment(std::string(kToScore) +
                     "[sweep]\n\"cohorts.participants\" = [40, 60]\n"
                     "\"method.debm.fidelity\" = [\"paper\", \"repaired\"]\n");
  REQUIRE(program.tempo("run e.toml --out run").code == 0);
  REQUIRE(program.tempo("simulate e.toml --out cohorts").code == 0);
  // Points 1 and 2 have the same cohorts; so have 3 and 4.
  REQUIRE(program
              .shell("tempo infer debm cohorts/point1/exp3/*.csv cohorts/point4/exp3/*.csv "
                     "--format json > found.json")
              .code == 0);
  REQUIRE(program.tempo("score run found.json --method mine --out mine.csv").code == 0);
  const auto rows = program.lines("mine.csv");
  REQUIRE(rows.size() == 9);
  REQUIRE(
      rows[0].starts_with("cohorts.participants,method.debm.fidelity,hypothesis,cohort,method"));
  REQUIRE(rows[1].starts_with("40,paper,h3,0,mine,"));
  REQUIRE(rows[2].starts_with("40,repaired,h3,0,mine,"));
  REQUIRE(rows[8].starts_with("60,repaired,h3,1,mine,"));
  const auto shown = program.tempo("results run --with mine.csv");
  REQUIRE(shown.code == 0);
  REQUIRE_THAT(shown.output, Contains("mine (outside)"));
  REQUIRE_THAT(program.tempo("score run found.json --method mine --format table").output,
               Contains("40                    paper                 h3          mine    2"));
  SECTION("which participants tell, or the entry") {
    auto entries = nlohmann::json::parse(program.text("found.json"));
    auto& entry = entries[0];
    entry["cohort"] = "h3/0";
    program.write("one.json", entry.dump());
    REQUIRE_THAT(program.tempo("score run one.json --method mine").output,
                 Contains("\n40,paper,h3,0,mine,"));
    entry["sweep"] = {{"cohorts.participants", 60}};
    program.write("one.json", entry.dump());
    REQUIRE_THAT(program.tempo("score run one.json --method mine").errors,
                 Contains("stages"));  // the participants of the other cohort are missing
  }
  SECTION("and a sweep that is none of the run is refused") {
    auto entry = nlohmann::json::parse(program.text("found.json"))[0];
    const auto refusal = [&](const std::string& cohort, const nlohmann::json& sweep) {
      entry["cohort"] = cohort;
      entry["sweep"] = sweep;
      program.write("one.json", entry.dump());
      const auto outcome = program.tempo("score run one.json --method mine");
      REQUIRE(outcome.code == 2);
      return outcome.errors;
    };
    REQUIRE(
        refusal("h3/0", {40, 60})
            .starts_with(
                "one.json: the sweep of 'h3/0' is a list; expected an object of settings and their "
                "values\n"));
    REQUIRE(refusal("h3/0", {{"cohorts.participant", 40}})
                .starts_with("one.json: the sweep of 'h3/0' names 'cohorts.participant', which run "
                             "does not sweep; expected 'cohorts.participants' or "
                             "'method.debm.fidelity'\n"));
    REQUIRE(refusal("h3/0", {{"cohorts.participants", 50}})
                .starts_with("one.json: the sweep of 'h3/0' has the value '50' of "
                             "'cohorts.participants'; expected '40' or '60'\n"));
    REQUIRE(refusal("point5/h3/0", nlohmann::json::object())
                .find("is of point 5; the sweep of run has 4 points\n") != std::string::npos);
  }
  SECTION("in a folder of several experiments numbers of points do not tell") {
    program.write("f.toml", edited(program.text("e.toml"), "[40, 60]", "[60, 40]"));
    REQUIRE(program.tempo("run f.toml --out other").code == 0);
    REQUIRE(program.tempo("merge other run --out both").code == 0);
    REQUIRE_THAT(program.tempo("score both found.json --method mine").errors,
                 Contains("is of a numbered point, but both holds several experiments"));
    auto entries = nlohmann::json::parse(program.text("found.json"));
    for (auto& entry : entries) entry["sweep"] = {{"cohorts.participants", entry["stages"].size()}};
    program.write("found.json", entries.dump());
    REQUIRE(program.tempo("score both found.json --method mine --out again.csv").code == 0);
    auto again = program.lines("again.csv"), sorted = rows;
    std::sort(again.begin(), again.end());
    std::sort(sorted.begin(), sorted.end());
    REQUIRE(again == sorted);
  }
}

}  // namespace tempo::test
