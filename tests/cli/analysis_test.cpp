// The analysis of a real cohort: tempo results --table orders, ranks, ..., and tempo stage.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.hpp"
#include "report/consensus.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

const std::vector<std::string> kTables{"orders",   "ranks",  "consensus", "positional-variance",
                                       "timeline", "groups", "stages",    "participants",
                                       "agreement"};

/// Methods `probe` (sorts by mean, knows posterior and times) and `learner`, trained on h3; three
/// replicates.
const std::string kReal = R"(schema = 1
seed = 7
[experiment]
stage_posteriors = true
[cohorts]
source = "table"
path = "clinic.toml"
biomarkers = "three.toml"
[analysis]
bootstrap = 3
[[hypothesis]]
plugin = "h3"
[[method]]
plugin = "probe"
[[method]]
plugin = "learner"
)";

const std::string kClinic = R"(file = "clinic.csv"
participant = "id"
diagnosis = { column = "dx", healthy = ["CN"], diseased = ["mild", "AD"] }
)";

const std::string kThree = R"(schema = 1
name = "three"
biomarker = [
  { name = "b0", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = 4.0, sd = 1.0 } },
  { name = "b1", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = 4.0, sd = 1.0 } },
  { name = "b2", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = 4.0, sd = 1.0 } },
]
)";

/// Means of b0, b1, b2 fall: probe's order is b2, b1, b0.
const std::string kPeople =
    "id,dx,b0,b1,b2\nc1,CN,0.5,0,0\nc2,CN,0,0.5,-0.5\nm1,mild,4,0,0\nm2,mild,4,1,0\n"
    "a1,AD,5,4,0\na2,AD,4,5,3\n";

const std::string kNew =
    "participant,biomarker,measurement,diseased\nn1,b2,4,True\nn1,b1,0,True\nn1,b0,0,True\n"
    "n2,b2,4,True\nn2,b1,4,True\nn2,b0,,True\n";

/// A folder with its run, `run`.
struct RealRun : Program {
  RealRun() {
    experiment(kReal);
    write("clinic.toml", kClinic);
    write("three.toml", kThree);
    write("clinic.csv", kPeople);
    write("new.csv", kNew);
    const auto outcome = tempo("run e.toml --out run");
    INFO(outcome.errors);
    REQUIRE(outcome.code == 0);
  }
};

std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> out;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    auto& row = out.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
  }
  return out;
}

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
    REQUIRE_THAT(program.tempo("results run --table orders").output,
                 Contains("probe          b2, b1, b0\nlearner on h3  "));
  }
  SECTION("replicates are counted, and within a method") {
    const auto outcome = program.tempo("results run --table ranks --fits probe");
    REQUIRE_THAT(outcome.output, Contains("rank within a method: mean over resampled participants, and "
                                          "from 20 replicates on 95 % interval\nbiomarker  probe\n"));
    REQUIRE_THAT(program.tempo("results run --table positional-variance").output,
                 Contains("probe, over 3 cohorts of resampled participants"));
  }
  SECTION("diagnoses come in the order of the description") {
    REQUIRE_THAT(program.tempo("results run --table groups").output,
                 Contains("fit            CN (n = 2)                   mild (n = 2)                 AD (n = 2)"));
  }
  SECTION("a part of the fits") {
    REQUIRE_THAT(program.tempo("results run --table consensus --fits 'learner on h3'").output,
                 Contains("consensus of 1 fits") && !Contains("probe"));
    const auto outcome = program.tempo("results run --table consensus --fits proba");
    REQUIRE(outcome.code == 2);
    REQUIRE(outcome.errors ==
            "tempo results: --fits: no fit 'proba'; expected 'learner', 'learner on h3' or 'probe'; "
            "did you mean 'probe'?\n1 problem; nothing was run.\n");
    REQUIRE_THAT(program.tempo("results run --fits probe").errors,
                 Contains("tempo results: --fits is for tables of a real cohort\n"));
  }
  SECTION("failed fits are left out and said to be") {
    program.experiment(edited(kReal, "plugin = \"learner\"", "plugin = \"learner\"\nfails_on = \"h3\""));
    REQUIRE(program.tempo("run e.toml --out failing").code == 1);
    const auto outcome = program.tempo("results failing --table orders");
    REQUIRE(outcome.code == 0);
    REQUIRE(outcome.errors == "note: clinic.toml: 1 of 2 fits; the others have failed or are still "
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
  REQUIRE(outcome.errors ==
          "run: has no table 'ranks': it is of a real cohort ([cohorts] source = \"table\"), and the "
          "cohorts of this run are simulated or have a truth\n1 problem; nothing was run.\n");
  REQUIRE_THAT(program.tempo("stage run e.toml").errors, Contains("e.toml"));
}

TEST_CASE("tempo stage stages new patients by a fit of a run", "[cli][stage]") {
  const RealRun program;
  SECTION("by the order of a method and the distributions of the run") {
    const auto outcome = program.tempo("stage run new.csv --fit probe");
    REQUIRE(outcome.code == 0);
    REQUIRE(outcome.errors ==
            "note: stages by the order of probe and normal distributions as the run had them, all "
            "stages equally likely beforehand\n");
    // Log odds of an event at 4: 8; at 0: -8. n1 has had b2 only; n2 has b2 and b1, b0 is missing.
    std::istringstream lines(outcome.output);
    std::string line;
    std::getline(lines, line);
    REQUIRE(line == "participant,stage,mean,low,high");
    std::getline(lines, line);
    REQUIRE_THAT(line, Catch::Matchers::StartsWith("n1,1,") && EndsWith(",1,1"));
    std::getline(lines, line);
    REQUIRE_THAT(line, Catch::Matchers::StartsWith("n2,2,") && EndsWith(",2,3"));
  }
  SECTION("by the consensus") {
    const auto outcome = program.tempo("stage run new.csv --fit consensus --format json");
    const auto json = nlohmann::json::parse(outcome.output);
    REQUIRE(json["stages"].size() == 2);
    REQUIRE_THAT(json["how"].get<std::string>(), Contains("the fits' consensus"));
  }
  SECTION("by a model, each among the participants of the run") {
    const auto incomplete = program.tempo("stage run new.csv --fit 'learner on h3'");
    REQUIRE(incomplete.code == 2);
    REQUIRE(incomplete.errors ==
            "new.csv: n2: plugin learner, while fitting: the method takes no missing values; missing: "
            "'b0' 1 (0 healthy, 1 diseased)\n1 problem; nothing was run.\n");
    program.write("new.csv", edited(kNew, "n2,b0,,", "n2,b0,0,"));
    const auto outcome = program.tempo("stage run new.csv --fit 'learner on h3'");
    INFO(outcome.errors);
    REQUIRE(outcome.code == 0);
    REQUIRE_THAT(outcome.errors, Contains("each patient one at a time among the 6 participants of "
                                          "clinic.toml"));
    REQUIRE_THAT(outcome.output, Contains("\nn1,") && EndsWith(",,,\n"));
  }
  SECTION("who has been among them is not new to a model") {
    program.write("old.csv", edited(kNew, "n1,b2", "a1,b2"));
    program.write("old.csv", edited(edited(program.text("old.csv"), "n1,b1", "a1,b1"), "n1,b0", "a1,b0"));
    const auto outcome = program.tempo("stage run old.csv --fit 'learner on h3'");
    REQUIRE(outcome.code == 2);
    REQUIRE(outcome.errors == "old.csv: has participants that are in clinic.toml too: a1\n"
                              "1 problem; nothing was run.\n");
  }
  SECTION("what a description makes of its own table is warned about") {
    const std::string table =
        "id,dx,age,b0,b1,b2\nk1,CN,60,0.1,0,0\nk2,CN,70,0,0.1,0.2\nk3,CN,81,0.3,0,0.1\nn1,AD,72,0,0,4\n"
        "n2,AD,66,,4,4\n";
    const std::string plain = kClinic + "ignore = [\"age\"]\n", marginal = "missing = \"marginal\"\n",
                      mean = "missing = \"mean\"\n",
                      adjust = "[adjust]\ncovariates = [\"age\"]\n";
    const std::string by_means = "warning: clinic2.toml: missing = \"mean\" puts this table's own means ";
    const std::string by_healthy = "warning: clinic2.toml: 'adjust' fits this table's own healthy ";
    const auto errors = [&](const std::string& description, const std::string& people) {
      program.write("clinic2.csv", people);
      program.write("clinic2.toml", edited(description, "clinic.csv", "clinic2.csv"));
      const auto outcome = program.tempo("stage run clinic2.toml --fit probe");
      INFO(outcome.errors);
      REQUIRE(outcome.code == 0);
      return outcome.errors;
    };
    const auto complete = edited(table, "66,,", "66,0,");
    REQUIRE_THAT(errors(plain + marginal, table), !Contains("warning"));
    REQUIRE_THAT(errors(plain + mean, complete), !Contains("warning"));
    REQUIRE_THAT(errors(plain + mean, table), Contains(by_means) && !Contains(by_healthy));
    REQUIRE_THAT(errors(kClinic + marginal + adjust, complete), Contains(by_healthy) && !Contains(by_means));
    REQUIRE_THAT(errors(kClinic + mean + adjust, table), Contains(by_healthy) && Contains(by_means));
  }
  SECTION("faults of the command line and of files") {
    REQUIRE_THAT(program.tempo("stage run new.csv").errors,
                 Contains("tempo stage: --fit is missing; expected 'probe', 'learner on h3' or "
                          "'consensus'\n"));
    REQUIRE_THAT(program.tempo("stage run new.csv --fit prob").errors,
                 Contains("--fit: no fit 'prob'") && Contains("did you mean 'probe'?"));
    REQUIRE_THAT(program.tempo("stage run new.csv --fit probe --reference clinic.toml").errors,
                 Contains("--reference is for a model file; a run has its own cohort\n"));
    program.write("less.csv", "participant,biomarker,measurement,diseased\nn1,b2,4,True\nn1,b9,1,True\n");
    const auto less = program.tempo("stage run less.csv --fit probe");
    REQUIRE(less.code == 2);
    REQUIRE_THAT(less.errors, Contains("note: less.csv: 'b9' is none of the biomarkers of run, and is "
                                       "left out\n") &&
                                  Contains("less.csv: lacks biomarkers of run: b0, b1\n"));
    const auto over = program.tempo("stage run new.csv --fit probe --out new.csv");
    REQUIRE(over.code == 2);
    REQUIRE_THAT(over.errors, Contains("'new.csv' is read, and would be overwritten"));
  }
  SECTION("a cohort that has become another is noticed") {
    program.write("clinic.csv", kPeople + "a3,AD,1,1,1\n");
    const auto outcome = program.tempo("stage run new.csv --fit probe");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(outcome.errors,
                 Contains("has other participants or biomarkers than when run was made"));
  }
  SECTION("and so is one edited number, by whatever fit") {
    program.write("new.csv", edited(kNew, "n2,b0,,", "n2,b0,0,"));
    program.write("clinic.csv", edited(kPeople, "a1,AD,5,4,0", "a1,AD,5,4.5,0"));
    for (const std::string fit : {"probe", "learner on h3", "consensus"}) {
      const auto outcome = program.tempo("stage run new.csv --fit '" + fit + "'");
      REQUIRE(outcome.code == 2);
      REQUIRE(outcome.output.empty());
      REQUIRE_THAT(outcome.errors, EndsWith("clinic.toml: its files are not, byte for byte, those that run was "
                                            "made of; run the experiment again\n1 problem; nothing was run.\n"));
    }
    REQUIRE(program.tempo("run e.toml --out run").code == 0);
    REQUIRE(program.tempo("stage run new.csv --fit probe").code == 0);
  }
}

TEST_CASE("tempo stage by a model that several methods share", "[cli][stage]") {
  const Program program;
  program.experiment(kReal + "[[method]]\nplugin = \"learner\"\nid = \"second\"\nbootstrap = false\n");
  program.write("clinic.toml", kClinic);
  program.write("three.toml", kThree);
  program.write("clinic.csv", kPeople);
  program.write("new.csv", edited(kNew, "n2,b0,,", "n2,b0,0,"));
  REQUIRE(program.tempo("run e.toml --out run").code == 0);
  REQUIRE(program.shell("ls run/models/*.safetensors | wc -l").output == "1\n");
  SECTION("each stages by it") {
    const auto first = program.tempo("stage run new.csv --fit 'learner on h3'");
    const auto second = program.tempo("stage run new.csv --fit 'second on h3'");
    REQUIRE(first.code == 0);
    REQUIRE_THAT(second.errors, Contains("note: stages by the model "));
    REQUIRE(second.errors == first.errors);
    REQUIRE(second.output == first.output);
  }
  SECTION("without its file none does") {
    REQUIRE(program.shell("rm run/models/*.safetensors").code == 0);
    for (const std::string fit : {"learner on h3", "second on h3"}) {
      const auto outcome = program.tempo("stage run new.csv --fit '" + fit + "'");
      REQUIRE(outcome.code == 2);
      REQUIRE(outcome.output.empty());
      REQUIRE_THAT(outcome.errors, Contains("run: has no model of '" + fit + "'"));
    }
  }
}

TEST_CASE("tempo stage by a model file needs a cohort to stage in", "[cli][stage]") {
  const RealRun program;
  REQUIRE(program.shell("cp run/models/*.safetensors model").code == 0);
  const auto alone = program.tempo("stage model new.csv");
  REQUIRE(alone.code == 2);
  REQUIRE(alone.errors ==
          "tempo stage: --reference is missing: a model looks at a participant among others, so that "
          "new patients need a cohort to be staged in ('tempo infer' takes them for a cohort of their "
          "own)\n1 problem; nothing was run.\n");
  program.write("new.csv", edited(kNew, "n2,b0,,", "n2,b0,0,"));
  const auto among = program.tempo("stage model new.csv --reference clinic.toml --out staged.csv");
  INFO(among.errors);
  REQUIRE(among.code == 0);
  REQUIRE(program.text("staged.csv") ==
          program.tempo("stage run new.csv --fit 'learner on h3'").output);
  REQUIRE_THAT(program.tempo("stage model new.csv --fit probe --reference clinic.toml").errors,
               Contains("--fit is for a run folder; a model file is one fit\n"));
}

// Of cohorts made with seeds 1 to 10, all 40 fits are within 0.28 of the truth and have rising stages (the
// farthest: 0.273). An order drawn at random is within 0.28 in about 2 % of cases: two sds of 0.11 below 0.5.
TEST_CASE("the truth of a synthetic ADNIMERGE is recovered", "[cli][analysis]") {
  const Program program;
  REQUIRE(program.tempo("synthesize-adnimerge --hypothesis h3 --seed 5 --out adni.csv").code == 0);
  program.write("adni.toml", "file = \"adni.csv\"\npreset = \"adnimerge\"\n");
  program.experiment(
      "schema = 1\nseed = 1\n[cohorts]\nsource = \"table\"\npath = \"adni.toml\"\n"
      "[[method]]\nplugin = \"debm\"\n[[method]]\nplugin = \"debm_gmm\"\n"
      "[[method]]\nplugin = \"ucl_gmm\"\n[[method]]\nplugin = \"ucl_kde\"\n");
  REQUIRE(program.tempo("run e.toml --out run").code == 0);
  const auto truth = nlohmann::json::parse(program.text("adni.csv.truth.json"))["true_order"];

  std::map<std::string, std::map<std::string, double>> ranks;  // method -> biomarker -> rank
  auto rows = rows_of(program.tempo("results run --table orders --format csv").output);
  for (std::size_t i = 1; i < rows.size(); ++i) ranks[rows[i][1]][rows[i][4]] = std::stod(rows[i][5]);
  REQUIRE(ranks.size() == 4);
  for (const auto& [method, of_method] : ranks) {
    std::vector<double> found, true_ranks;
    for (const auto& [biomarker, rank] : of_method) {
      found.push_back(rank);
      true_ranks.push_back(truth.at(biomarker).get<double>());
    }
    INFO(method);
    REQUIRE(found.size() == 12);
    REQUIRE(order_distance(found, true_ranks) < 0.28);
  }
  std::map<std::string, std::vector<double>> means;  // CN, EMCI, LMCI, AD
  rows = rows_of(program.tempo("results run --table groups --format csv").output);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string> groups{"CN", "EMCI", "LMCI", "AD"};
    REQUIRE(rows[i][3] == groups[(i - 1) % 4]);
    means[rows[i][1]].push_back(std::stod(rows[i][5]));
  }
  for (const auto& [method, of_groups] : means) {
    INFO(method);
    REQUIRE(std::adjacent_find(of_groups.begin(), of_groups.end(), std::greater_equal<>()) ==
            of_groups.end());
  }
}

}  // namespace tempo::test
