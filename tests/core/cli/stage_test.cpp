// tempo stage: new patients are staged by a fit of a run, or by a model.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "real_run.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

}  // namespace

TEST_CASE("tempo stage stages new patients by a fit of a run", "[cli][stage]") {
  const RealRun program;
  SECTION("by the order of a method and the distributions of the run") {
    const auto outcome = program.tempo("stage run new.csv --fit probe");
    REQUIRE(outcome.code == 0);
    REQUIRE(outcome.errors ==
            "note: new.csv: 1 of 6 measurements are missing and do not count\n"
            "note: stages by the order of probe and normal distributions as the run had them, all "
            "stages equally likely beforehand\n");
    // Log odds of an event at 4: 8; at 0: -8. n1 has had b2 only; n2 has b2 and b1, b0 is missing.
    std::istringstream lines(outcome.output);
    std::string line;
    std::getline(lines, line);
    REQUIRE(line == "participant,stage,mode,second_mode,mean,median,low,high,note");
    std::getline(lines, line);
    REQUIRE_THAT(line, Catch::Matchers::StartsWith("n1,1,") && EndsWith(",1,1,"));
    std::getline(lines, line);
    REQUIRE_THAT(line, Catch::Matchers::StartsWith("n2,2,") && EndsWith(",2,3,"));
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
    REQUIRE(
        incomplete.errors ==
        "note: new.csv: 1 of 6 measurements are missing\n"
        "new.csv: n2: plugin learner, while fitting: the method takes no missing values; missing: "
        "'b0' 1 (0 healthy, 1 diseased)\n1 problem; nothing was run.\n");
    program.write("new.csv", edited(kNew, "n2,b0,,", "n2,b0,0,"));
    const auto outcome = program.tempo("stage run new.csv --fit 'learner on h3'");
    INFO(outcome.errors);
    REQUIRE(outcome.code == 0);
    REQUIRE_THAT(outcome.errors, Contains("each patient one at a time among the 6 participants of "
                                          "clinic.toml"));
    REQUIRE_THAT(outcome.output, Contains("\nn1,") && EndsWith(",,,,\n"));
  }
  SECTION("who has been among them is not new to a model") {
    program.write("old.csv", edited(kNew, "n1,b2", "a1,b2"));
    program.write("old.csv",
                  edited(edited(program.text("old.csv"), "n1,b1", "a1,b1"), "n1,b0", "a1,b0"));
    const auto outcome = program.tempo("stage run old.csv --fit 'learner on h3'");
    REQUIRE(outcome.code == 2);
    REQUIRE(outcome.errors ==
            "old.csv: has participants that are in clinic.toml too: a1\n"
            "1 problem; nothing was run.\n");
  }
  SECTION("an order needs no diagnosis") {
    const auto labelled = program.tempo("stage run new.csv --fit probe").output;
    program.write("plain.csv",
                  "participant,biomarker,measurement\nn1,b2,4\nn1,b1,0\nn1,b0,0\nn2,b2,4\n"
                  "n2,b1,4\nn2,b0,\n");
    REQUIRE(program.tempo("stage run plain.csv --fit probe").output == labelled);
    program.write("wide.csv", "id,b0,b1,b2\nn1,0,0,4\nn2,,4,4\n");
    program.write("wide.toml",
                  "file = \"wide.csv\"\nparticipant = \"id\"\nmissing = \"marginal\"\n");
    REQUIRE(program.tempo("stage run wide.toml --fit probe").output == labelled);
    // Whatever the diagnosis is; but who is to be left out is, and it is said.
    program.write("wide.csv", "id,dx,b0,b1,b2\nn1,odd,0,0,4\nn2,,,4,4\nn3,SMC,4,4,4\n");
    program.write("wide.toml", edited(edited(kPeopleTable, "clinic.csv", "wide.csv"), "\"AD\"]",
                                      "\"AD\"], drop = [\"SMC\", \"\"]") +
                                   "missing = \"marginal\"\n");
    const auto outcome = program.tempo("stage run wide.toml --fit probe");
    REQUIRE(outcome.output ==
            labelled + "n3,,,,,,,,\"left out: diagnosis 'SMC', which 'drop' names\"\n");
    REQUIRE_THAT(
        outcome.errors,
        Contains("note: wide.toml: 2 of 3 participants to be staged (left out: 'SMC': 1)\n"));
    // A model that uses the diagnosis needs it.
    const auto by_model = program.tempo("stage run plain.csv --fit 'learner on h3'");
    REQUIRE(by_model.code == 2);
    REQUIRE_THAT(by_model.errors, Contains("plain.csv:1:1: missing column 'diseased'\n"));
  }
  SECTION("who was not measured has no stage") {
    program.write("new.csv", kNew + "n3,b2,,True\n");
    const std::string warning = "warning: no stage, since no biomarker was measured: n3\n";
    for (const std::string fit : {"probe", "consensus"}) {
      const auto outcome = program.tempo("stage run new.csv --fit " + fit);
      REQUIRE(outcome.code == 0);
      REQUIRE_THAT(outcome.output, EndsWith("\nn3,,,,,,,,no biomarker was measured\n"));
      REQUIRE_THAT(outcome.errors, Contains(warning));
    }
    program.write("new.csv", edited(kNew, "n2,b0,,", "n2,b0,0,") + "n3,b2,,True\n");
    const auto outcome = program.tempo("stage run new.csv --fit 'learner on h3' --format json");
    REQUIRE_THAT(outcome.errors, Contains(warning));
    REQUIRE(nlohmann::json::parse(outcome.output)["stages"][2]["stage"].is_null());
  }
  SECTION("values far from the cohort's are warned about and counted") {
    // b1 has 0 to 5 there: up to 7.5 it is near.
    program.write("new.csv", edited(edited(kNew, "n1,b1,0", "n1,b1,4000"), "n2,b1,4", "n2,b1,7.5"));
    const auto outcome = program.tempo("stage run new.csv --fit probe");
    REQUIRE(outcome.code == 0);
    REQUIRE_THAT(outcome.errors,
                 Contains("warning: 'b1': 1 of 2 values are far from all of the cohort's (0 to 5), "
                          "such as 4000 of n1\n") &&
                     !Contains("'b0'") && !Contains("'b2'"));
    REQUIRE_THAT(outcome.output, Contains(",far from all of the cohort's: b1\nn2,"));
  }
  SECTION("everybody of the table has a row: who is left out, too, and why") {
    program.write("wide.csv", "id,visit,b0,b1,b2\nn1,bl,0,0,4\nn2,m6,0,4,4\nn3,bl,0,,\n");
    program.write("wide.toml",
                  "file = \"wide.csv\"\nparticipant = \"id\"\nmissing = \"drop\"\n"
                  "visit = { column = \"visit\", keep = \"baseline\", baseline = [\"bl\"] }\n");
    const auto outcome = program.tempo("stage run wide.toml --fit probe");
    INFO(outcome.errors);
    REQUIRE_THAT(outcome.output,
                 Contains("\nn1,1,") && EndsWith(",1,1,\nn2,,,,,,,,left out: no baseline visit\n"
                                                 "n3,,,,,,,,\"left out: lacks b1, b2\"\n"));
    const auto json = nlohmann::json::parse(
        program.tempo("stage run wide.toml --fit probe --format json").output)["stages"];
    REQUIRE(json.size() == 3);
    REQUIRE(json[2]["note"] == "left out: lacks b1, b2");
    REQUIRE_FALSE(json[0].contains("note"));
  }
  SECTION(
      "a biomarker that nobody was measured by has no say where missing values are left to the "
      "order") {
    program.write("wide.csv", "id,b0,b2\nn1,0,4\n");
    program.write("wide.toml",
                  "file = \"wide.csv\"\nparticipant = \"id\"\nmissing = \"marginal\"\n");
    const auto outcome = program.tempo("stage run wide.toml --fit probe");
    REQUIRE_THAT(outcome.errors,
                 Contains("warning: wide.toml lacks b1, which does not count in stages\n"));
    REQUIRE_THAT(outcome.output,
                 Contains("\nn1,1,") && EndsWith(",1,2,\n"));  // b2 has happened, b1 may have
  }
  SECTION("what makes a fit doubtful is said of its stages, too") {
    program.experiment(
        edited(kRealExperiment, "plugin = \"learner\"", "plugin = \"learner\"\nwarns = true"));
    REQUIRE(program.tempo("run e.toml --out doubted").code == 0);
    program.write("new.csv", edited(kNew, "n2,b0,,", "n2,b0,0,"));
    const auto by_model =
        program.tempo("stage doubted new.csv --fit 'learner on h3' --format json");
    REQUIRE_THAT(by_model.errors, Contains("warning: learner on h3 is in doubt: "));
    REQUIRE_THAT(nlohmann::json::parse(by_model.output)["warnings"][0].get<std::string>(),
                 Contains("learner on h3 is in doubt: "));
    REQUIRE_THAT(program.tempo("stage doubted new.csv --fit consensus").errors,
                 Contains("warning: 1 of 2 fits do not count in the consensus: learner on h3 "
                          "('tempo results doubted --table consensus' says why)\n"));
    REQUIRE_THAT(program.tempo("stage doubted new.csv --fit probe").errors, !Contains("doubt"));
  }
  SECTION("'adjust' and means are the cohort's, not the new table's") {
    // In the healthy b0 is age - 60, so that 0 is the adjusted value of a healthy one at 60 + mean
    // age - 60.
    const std::string aged =
        "id,dx,age,b0,b1,b2\nc1,CN,60,0,0,0\nc2,CN,61,1,0,0\nc3,CN,62,2,0,0\na1,AD,61,5,4,0\na2,AD,"
        "61,5,4,4\n";
    const std::string adjust = "adjust = { covariates = [\"age\"] }\n";
    program.write("clinic.csv", aged);
    program.write("clinic.toml", kPeopleTable + adjust);
    REQUIRE(program.tempo("run e.toml --out aged").code == 0);
    // b0 of 4 at 64 is 1 at the mean age of the healthy, 61: before its event. Of 8, 5: after it.
    program.write("new2.toml",
                  "file = \"new2.csv\"\nparticipant = \"id\"\nmissing = \"mean\"\n" + adjust);
    program.write("new2.csv", "id,age,b0,b1,b2\nn1,64,4,4,4\nn2,64,8,4,4\nn3,64,8,,4\nn4,64,,,\n");
    const auto all = program.tempo("stage aged new2.toml --fit probe");
    INFO(all.errors);
    REQUIRE(all.code == 0);
    const auto rows = rows_of(all.output);
    REQUIRE(rows[1][1] == "2");
    REQUIRE(rows[2][1] == "3");
    REQUIRE_THAT(
        all.errors,
        Contains("note: new2.toml: the mean of clinic.toml stands for 1 missing measurement\n"));
    REQUIRE_THAT(all.output, EndsWith("\nn4,,,,,,,,no biomarker was measured\n"));
    program.write("new2.csv", "id,age,b0,b1,b2\nn3,64,8,,4\n");  // and one alone is the same
    REQUIRE(line_with(program.tempo("stage aged new2.toml --fit probe").output, "n3,") ==
            line_with(all.output, "n3,"));
    program.write(
        "new2.toml",
        "file = \"new2.csv\"\nparticipant = \"id\"\nignore = [\"age\"]\nmissing = \"marginal\"\n");
    REQUIRE_THAT(program.tempo("stage aged new2.toml --fit probe").errors,
                 Contains("warning: clinic.toml was adjusted for age, and the values of new2.toml "
                          "are taken as they stand"));
    program.write("new2.toml",
                  "file = \"new2.csv\"\nparticipant = \"id\"\nmissing = \"marginal\"\n" + adjust);
    const auto other = program.tempo("stage run new2.toml --fit probe");
    REQUIRE(other.code == 2);
    REQUIRE_THAT(
        other.errors,
        Contains("the cohort that they are compared with was adjusted for nothing, not for age"));
  }
  SECTION("faults of the command line and of files") {
    REQUIRE_THAT(program.tempo("stage run new.csv").errors,
                 Contains("tempo stage: --fit is missing; expected 'probe', 'learner on h3' or "
                          "'consensus'\n"));
    REQUIRE_THAT(program.tempo("stage run new.csv --fit prob").errors,
                 Contains("--fit: no fit 'prob'") && Contains("did you mean 'probe'?"));
    REQUIRE_THAT(program.tempo("stage run new.csv --fit probe --reference clinic.toml").errors,
                 Contains("--reference is for a model file; a run has its own cohort\n"));
    program.write("less.csv",
                  "participant,biomarker,measurement,diseased\nn1,b2,4,True\nn1,b9,1,True\n");
    const auto less = program.tempo("stage run less.csv --fit probe");
    REQUIRE(less.code == 2);
    REQUIRE_THAT(
        less.errors,
        Contains("note: less.csv: 'b9' is none of the biomarkers of run, and is "
                 "left out\n") &&
            Contains("less.csv: lacks biomarkers of run: b0, b1; a description with missing = "
                     "\"marginal\" stages without them\n"));
    const auto over = program.tempo("stage run new.csv --fit probe --out new.csv");
    REQUIRE(over.code == 2);
    REQUIRE_THAT(over.errors, Contains("'new.csv' is read, and would be overwritten"));
  }
  SECTION("the run has the cohort: its files may change, which is said, or go") {
    program.write("new.csv", edited(kNew, "n2,b0,,", "n2,b0,0,"));
    for (const std::string fit : {"probe", "learner on h3", "consensus"}) {
      program.write("clinic.csv", kPeople);
      const auto stage = [&] { return program.tempo("stage run new.csv --fit '" + fit + "'"); };
      const auto before = stage();
      REQUIRE(before.code == 0);
      REQUIRE_THAT(before.errors, !Contains("changed"));
      const std::string note =
          "note: clinic.toml has changed since run was made; new patients are staged by the "
          "cohort as it was then\n";
      for (const auto& people :
           {kPeople + "a3,AD,1,1,1\n", edited(kPeople, "a1,AD,5,4,0", "a1,AD,5,4.5,0"),
            std::string("rubbish")}) {
        program.write("clinic.csv", people);
        const auto after = stage();
        REQUIRE(after.output == before.output);
        REQUIRE(after.errors == note + before.errors);
      }
      REQUIRE(program.shell("mv clinic.toml gone.toml; mv three.toml gone3.toml").code == 0);
      REQUIRE(stage().output == before.output);
      REQUIRE(program.shell("mv gone.toml clinic.toml; mv gone3.toml three.toml").code == 0);
    }
  }
}

TEST_CASE("tempo stage by a model that several methods share", "[cli][stage]") {
  const Program program;
  program.experiment(kRealExperiment +
                     "[[method]]\nplugin = \"learner\"\nid = \"second\"\nbootstrap = false\n");
  program.write("clinic.toml", kPeopleTable);
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
      REQUIRE_THAT(outcome.errors, Contains(".safetensors: the model of '" + fit +
                                            "' is gone; run the experiment again"));
    }
  }
}

TEST_CASE("tempo stage by a model file needs a cohort to stage in", "[cli][stage]") {
  const RealRun program;
  REQUIRE(program.shell("cp run/models/*.safetensors model").code == 0);
  const auto alone = program.tempo("stage model new.csv");
  REQUIRE(alone.code == 2);
  REQUIRE(
      alone.errors ==
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

TEST_CASE("a fit that found subtypes gives new patients theirs", "[cli][stage]") {
  const Program program;
  program.write("clinic.toml", kPeopleTable);
  program.write("clinic.csv", kMany);
  program.write("new.csv", kNew);
  program.experiment(
      "schema = 1\nseed = 7\n[cohorts]\nsource = \"table\"\npath = \"clinic.toml\"\n"
      "[[method]]\nplugin = \"bebms\"\nsubtypes = 2\niterations = 40\n");
  REQUIRE(program.tempo("run e.toml --out run").code == 0);
  const auto staged = program.tempo("stage run new.csv");
  INFO(staged.errors);
  REQUIRE(staged.code == 0);
  REQUIRE_THAT(staged.errors,
               Contains("stages by the orders and shares of the 2 subtypes of bebms "));
  REQUIRE_THAT(staged.output, Contains(",low,high,subtype,subtype_probability,note\n"));
  // The shares of a patient's subtypes are those that the table of the run has, before all events.
  const auto rows = rows_of(program.tempo("results run --table subtypes --format csv").output);
  program.write("healthy.csv", "participant,biomarker,measurement\nn1,b2,-9\nn1,b1,-9\nn1,b0,-9\n");
  const auto json = nlohmann::json::parse(
      program.tempo("stage run healthy.csv --format json").output)["stages"][0];
  REQUIRE(json["stage"] == 0.0);
  REQUIRE(std::stod(rows[1][4]) == Approx(json["subtype_probabilities"][0].get<double>()));
  REQUIRE(std::stod(rows.back()[4]) == Approx(json["subtype_probabilities"][1].get<double>()));
}

}  // namespace tempo::test
