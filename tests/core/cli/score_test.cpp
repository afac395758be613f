// tempo score: what any program found, beside the truth.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "program.hpp"
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
    for (const auto& row : nlohmann::json::parse(json.output).at("rows")) {
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

}  // namespace tempo::test
