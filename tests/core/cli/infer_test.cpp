// tempo train and tempo infer: a model without an experiment, and what it says of a cohort.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

const std::string kTrain =
    "train --method learner --hypothesis h3 --biomarkers five.toml --participants 60 --seed 7 "
    "--out "
    "model ";

/// A cohort of two, with the biomarkers in an order of its own.
const std::string kCohort =
    "participant,biomarker,measurement,diseased\n"
    "ann,b3,1.5,True\nann,b0,1.5,True\nann,b1,1.5,True\nann,b4,1.5,True\nann,b2,1.5,True\n"
    "bob,b3,0.5,False\nbob,b0,0.5,False\nbob,b1,0.5,False\nbob,b4,0.5,False\nbob,b2,0.5,False\n";

/// A model file that says these event times of five.toml's biomarkers, in table order.
std::string model(const std::string& times) {
  const auto header =
      R"({"__metadata__":{"plugin":"learner","biomarkers":"[\"b0\",\"b1\",\"b4\",\"b3\",\"b2\"]","times":")" +
      times + R"(","stage":"1.5"}})";
  std::string bytes;
  for (std::size_t i = 0, length = header.size(); i < 8; ++i, length >>= 8)
    bytes += static_cast<char>(length & 0xff);
  return bytes + header;
}

/// The same, whether or not plugin tempo was built (LibTorch).
std::string without_tempo(std::string text) {
  const std::string also = " or 'tempo'";
  if (const auto at = text.find(also); at != std::string::npos) text.erase(at, also.size());
  return text;
}

void expect_refused(const Outcome& outcome, const std::string& report) {
  REQUIRE(without_tempo(outcome.errors) == report);
  REQUIRE(outcome.output.empty());
  REQUIRE(outcome.code == 2);
}

}  // namespace

TEST_CASE("tempo train writes the model that tempo run would train", "[cli][train]") {
  const Program program;
  const auto outcome = program.tempo(kTrain);
  REQUIRE(outcome.code == 0);
  REQUIRE(outcome.errors.empty());
  REQUIRE_THAT(outcome.output,
               StartsWith("training learner on h3\ntrained learner on h3: 3 epochs in ") &&
                   Contains("\nmodel: model\nhistory: model.history.csv\n"));
  REQUIRE(program.lines("model.history.csv").size() == 4);
  REQUIRE(!program.has("model.checkpoints"));
  program.experiment(edited("plugin = \"probe\"", "plugin = \"learner\"\ntrain_on = [\"h3\"]"));
  REQUIRE(program.tempo("run e.toml").code == 0);
  REQUIRE(program.shell("cmp model runs/e/models/learner.h3.*.safetensors").code == 0);

  SECTION("with settings, and a device") {
    REQUIRE(program.tempo(kTrain + "--out other --set epochs=2 --device cpu").code ==
            2);  // --out twice
    REQUIRE(program.shell("rm model; tempo " + kTrain + "--set epochs=2 --device cpu").code == 0);
    REQUIRE(program.lines("model.history.csv").size() == 3);
  }
  SECTION("from several hypotheses") {
    const auto both = program.shell("rm model; tempo " + kTrain + "--hypothesis h8");
    REQUIRE_THAT(both.output, StartsWith("training learner on all\n"));
  }
  SECTION("a model that is there is not overwritten") {
    expect_refused(program.tempo(kTrain),
                   "--out: 'model' exists; remove it, or choose another "
                   "name\n1 problem; nothing was run.\n");
  }
}

TEST_CASE("faults of tempo train are named, and nothing is written", "[cli][train]") {
  const Program program;
  const auto [arguments, report] = GENERATE(table<std::string, std::string>({
      {"train",
       "tempo train: --hypothesis H is missing (see tempo train --help)\n"
       "tempo train: --out MODEL is missing (see tempo train --help)\n2 problems"},
      {"train --hypothesis h3 --method learner --out deep/model",
       "--out: there is no folder 'deep'\n1 problem"},
      {"train --hypothesis h3 --method probe --out model",
       "--method: 'probe' is not trained: tempo run applies it as it is; trained is 'learner'\n1 "
       "problem"},
      {kTrain + "--set epoch=2",
       "--set epoch=2: unknown key 'epoch' in [[method]] 'learner'; expected 'epochs', 'cohorts', "
       "'device', 'fails_on', 'writes', 'stops_early', 'warns', 'waits_for' or 'log'; did you mean "
       "'epochs'?\n1 problem"},
      {kTrain + "--device cuda:1",
       "--device: 'device' must be 'auto', 'cpu' or 'gone', not 'cuda:1'\n1 problem"},
      {"train --hypothesis h3 --method learner --out model --seed -1 --participants 0 "
       "--healthy-ratio 1 --biomarkers six.toml",
       "--seed: 'seed' must be an integer >= 0, not -1\n"
       "--biomarkers: no such file 'six.toml' (a path is relative to the current folder); shipped "
       "tables: adni-12, synthetic-100\n"
       "--participants: 'participants' must be an integer in [1, 10000000], not 0\n"
       "--healthy-ratio: 'healthy_ratio' must be a number in [0, 1), not 1\n4 problems"},
      {kTrain + "--jobs 0", "tempo train: --jobs must be between 1 and 1024, not 0\n1 problem"},
  }));
  expect_refused(program.tempo(arguments), report + "; nothing was run.\n");
  REQUIRE(!program.has("model"));
  REQUIRE(!program.has("model.history.csv"));
  REQUIRE_THAT(program.tempo("train --method learner --hypothesis h33 --out model").errors,
               StartsWith("--hypothesis: unknown hypothesis 'h33'; expected "));
}

TEST_CASE("a training that fails leaves no model", "[cli][train]") {
  const Program program;
  const auto outcome = program.tempo(kTrain + "--set writes=garbage");
  REQUIRE(outcome.code == 1);
  REQUIRE_THAT(outcome.errors,
               StartsWith("tempo train: plugin learner, while training: the model it "
                          "wrote is no model"));
  REQUIRE(!program.has("model"));
}

TEST_CASE("tempo train goes on where it was stopped", "[cli][train]") {
  const Program program;
  const auto stopped = program.shell(
      "until_ok() { for i in $(seq 600); do eval \"$1\" && return; sleep 0.05; done; }; "
      "'" TEMPO_TEST_PROGRAM "' " +
      kTrain +
      "--set log=log --set waits_for=go 2>err & pid=$!; trap 'kill -9 $pid 2>/dev/null' EXIT; "
      "until_ok '[ -f log ] && [ $(wc -l < log) -ge 2 ]'; kill -INT $pid; wait $pid");
  REQUIRE(stopped.code == 130);
  REQUIRE(program.text("err") ==
          "stopping the training; Ctrl-C again to leave at once\n"
          "interrupted; the same command continues from 'model.checkpoints'\n");
  REQUIRE(!program.has("model"));
  program.write("go", "");
  const auto other = program.tempo(kTrain + "--set log=log --set waits_for=go --set epochs=4");
  REQUIRE(other.code == 2);
  REQUIRE_THAT(other.errors, Contains("holds checkpoints of a training with other settings"));
  const auto again = program.tempo(kTrain + "--set log=log --set waits_for=go");
  REQUIRE(again.code == 0);
  REQUIRE_THAT(again.output, StartsWith("training learner on h3: goes on from its checkpoints\n"));
  REQUIRE(program.lines("log").size() == 4);  // epochs 1, 2, 2, 3
  REQUIRE(!program.has("model.checkpoints"));
}

TEST_CASE("tempo train that was killed after its model was written is done", "[cli][train]") {
  const Program program;
  const auto stopped = program.shell(
      "until_ok() { for i in $(seq 600); do eval \"$1\" && return; sleep 0.05; done; }; "
      "'" TEMPO_TEST_PROGRAM "' " +
      kTrain +
      "--set log=log --set waits_for=go 2>err & pid=$!; trap 'kill -9 $pid 2>/dev/null' EXIT; "
      "until_ok '[ -f log ] && [ $(wc -l < log) -ge 2 ]'; kill -9 $pid; wait $pid");
  REQUIRE(stopped.code == 137);
  REQUIRE(program.has("model.checkpoints"));
  program.write("go", "");
  const auto train = kTrain + "--set log=log --set waits_for=go";
  const auto whole = program.shell("cp -r model.checkpoints kept; tempo " + train);
  REQUIRE(whole.code == 0);
  const auto model = program.text("model");
  program.shell("mv kept model.checkpoints");  // as a kill before they are removed leaves them
  SECTION("by the same command") {
    const auto again = program.tempo(train);
    REQUIRE(again.code == 0);
    REQUIRE_THAT(again.output, StartsWith("trained learner on h3 before"));
    REQUIRE(!program.has("model.checkpoints"));
  }
  SECTION("and no other takes its name") {
    REQUIRE_THAT(program.tempo(kTrain).errors, StartsWith("--out: 'model' exists"));
  }
  REQUIRE(program.text("model") == model);
}

TEST_CASE("tempo train says that it goes on only if there is something to go on from",
          "[cli][train]") {
  const Program program;
  REQUIRE(program.tempo(kTrain + "--set fails_on=h3").code == 1);
  REQUIRE(program.has("model.checkpoints"));
  REQUIRE(program.tempo(kTrain + "--set fails_on=h3").output == "training learner on h3\n");
}

TEST_CASE("a training that ends with a warning says so", "[cli][train]") {
  const Program program;
  const auto outcome = program.tempo(kTrain + "--set warns=true");
  REQUIRE(outcome.code == 0);
  REQUIRE(outcome.errors == "warning: the last epoch was no better\n");
  REQUIRE_THAT(outcome.output, Contains("\ntrained with warnings learner on h3: 3 epochs in ") &&
                                   Contains("\nmodel: model\n"));
}

TEST_CASE("tempo infer says order, times and stages", "[cli][infer]") {
  const Program program;
  program.write("model", model("[4.0,1.0,5.0,2.0,3.0]"));  // b0, b1, b4, b3, b2
  program.write("c.csv", kCohort);
  const std::string csv =
      "kind,name,rank,score,time,stage,mode,second_mode,mean,median,low,high\n"
      "event,b1,1,1,0.2,,,,,,,\nevent,b3,2,2,0.4,,,,,,,\nevent,b2,3,3,0.6,,,,,,,\nevent,b0,4,4,0.8,,,,,,,\n"
      "event,b4,5,5,1,,,,,,,\n"
      "stage,ann,,,,1.5,,,,,,\nstage,bob,,,,1.5,,,,,,\n";
  SECTION("as CSV") {
    const auto outcome = program.tempo("infer model c.csv");
    REQUIRE(outcome.code == 0);
    REQUIRE(outcome.errors.empty());
    REQUIRE(outcome.output == csv);
  }
  SECTION("into a file") {
    const auto outcome = program.tempo("infer model c.csv --out found.csv");
    REQUIRE(outcome.code == 0);
    REQUIRE(outcome.output.empty());
    REQUIRE(program.text("found.csv") == csv);
  }
  SECTION("as JSON") {
    const auto found =
        nlohmann::json::parse(program.tempo("infer model c.csv --format json --device cpu").output);
    REQUIRE(found["plugin"] == "learner");
    REQUIRE(found["events"][0] ==
            nlohmann::json::parse(R"({"biomarker": "b1", "rank": 1, "score": 1.0, "time": 0.2})"));
    REQUIRE(found["stages"] == nlohmann::json::parse(R"([{"participant": "ann", "stage": 1.5},
                                                         {"participant": "bob", "stage": 1.5}])"));
    REQUIRE(found["warnings"].empty());
  }
  SECTION("of several cohorts, each named") {
    program.write("d, e.csv",
                  "participant,biomarker,measurement,diseased\neve,b0,1,1\neve,b1,1,1\n"
                  "eve,b2,1,1\neve,b3,1,1\neve,b4,1,1\neve,b5,1,1\n");
    const auto outcome = program.tempo("infer model c.csv 'd, e.csv'");
    REQUIRE(outcome.code == 0);
    REQUIRE_THAT(
        outcome.output,
        StartsWith("cohort,kind,name,rank,score,time,stage,mode,second_mode,mean,median,low,high\n"
                   "c.csv,event,b1,1,1,0.2,,,,,,,\n") &&
            Contains("c.csv,stage,bob,,,,1.5,,,,,,\n"
                     "\"d, e.csv\",event,b1,1,1,0.2,,,,,,,\n") &&
            Contains("\"d, e.csv\",stage,eve,,,,1.5,,,,,,\n"));
    REQUIRE(outcome.errors == "note: d, e.csv: the model does not know 'b5', which is left out\n");
    const auto found =
        nlohmann::json::parse(program.tempo("infer model c.csv 'd, e.csv' --format json").output);
    REQUIRE(found.size() == 2);
    REQUIRE(found[0]["cohort"] == "c.csv");
    REQUIRE(found[0]["stages"].size() == 2);
    REQUIRE(found[1]["cohort"] == "d, e.csv");
    REQUIRE(found[1]["events"][0]["biomarker"] == "b1");
  }
  SECTION("a biomarker that the model does not know is left out, which is said") {
    program.write("c.csv", kCohort + "ann,b9,0,True\nbob,b9,0,False\n");
    const auto outcome = program.tempo("infer model c.csv");
    REQUIRE(outcome.code == 0);
    REQUIRE(outcome.output == csv);
    REQUIRE(outcome.errors == "note: c.csv: the model does not know 'b9', which is left out\n");
  }
}

TEST_CASE("a method that needs no training takes the place of a model", "[cli][infer]") {
  const Program program;
  program.write("c.csv", kCohort);
  const std::string unlabelled =
      "participant,biomarker,measurement\nann,b0,3\nann,b1,1\nbob,b0,5\nbob,b1,2\n";
  program.write("u.csv", unlabelled);
  SECTION("with its id, and of a cohort without diagnosis where it can do without") {
    for (const auto* method : {"probe", "optional_probe"}) {
      const auto outcome = program.tempo(std::string("infer ") + method + " u.csv");
      REQUIRE(outcome.code == 0);
      REQUIRE(outcome.errors.empty() == (method == std::string("probe")));
      REQUIRE_THAT(
          outcome.output,
          StartsWith("kind,name,rank,score,time,stage,mode,second_mode,mean,median,low,high\n"
                     "event,b1,1,1.5,0.1,,,,,,2,2\nevent,b0,2,4,0,,,,,,1,1\n"));
    }
    const auto found =
        nlohmann::json::parse(program.tempo("infer optional_probe c.csv --format json").output);
    REQUIRE(found["plugin"] == "optional_probe");
    REQUIRE(found["labels"] == "infer");
    REQUIRE(nlohmann::json::parse(
                program.tempo("infer optional_probe u.csv --format json").output)["labels"] ==
            "none");
  }
  SECTION("values that may stand for missing ones are named, once") {
    std::string coded = "participant,biomarker,measurement,diseased\n";
    for (int j = 0; j < 12; ++j)
      coded += fmt::format("p{0},b0,{1},{2}\np{0},b1,{3},{2}\n", j, j % 5 == 3 ? -999 : 20 + j,
                           j % 2, 0.5 * j);
    program.write("coded.csv", coded);
    const auto outcome = program.tempo("infer probe coded.csv");
    REQUIRE(outcome.code == 0);
    REQUIRE(outcome.errors ==
            "warning: coded.csv: b0 is -999 in 2 of 12 participants, all others are 20 to 31: a "
            "code for a missing value? leave such cells empty\n");
  }
  SECTION("a diagnosis is used where the file has it") {
    program.write("l.csv",
                  "participant,biomarker,measurement,diseased\nann,b0,3,0\nann,b1,1,0\n"
                  "bob,b0,5,1\nbob,b1,2,1\n");
    const auto with = program.tempo("infer generalist l.csv"),
               without = program.tempo("infer generalist u.csv");
    REQUIRE(with.code == 0);
    REQUIRE(with.output != without.output);
    REQUIRE_THAT(without.errors,
                 Contains("note: u.csv: no column 'diseased': inferred without diagnosis\n"));
    REQUIRE_THAT(with.errors, !Contains("note:"));
  }
  SECTION("missing values of a cohort without diagnosis are counted") {
    program.write("u.csv", unlabelled + "cat,b0,4\n");
    const auto outcome = program.tempo("infer generalist u.csv");
    REQUIRE(outcome.code == 0);
    REQUIRE_THAT(outcome.errors,
                 Contains("1 of 6 measurements are missing and were left out: b1 (1)"));
  }
  SECTION("with settings of its own; a model has none") {
    const auto fails = program.tempo("infer probe c.csv --set fails_on=b0");
    REQUIRE(fails.code != 0);
    REQUIRE_THAT(fails.errors, Contains("c.csv: ") && Contains("b0"));
    const auto wrong = program.tempo("infer probe c.csv --set fials_on=b0");
    REQUIRE(wrong.code == 2);
    REQUIRE_THAT(wrong.errors, Contains("fials_on") && Contains("did you mean 'fails_on'?"));
    program.write("model", model("[4.0,1.0,5.0,2.0,3.0]"));
    expect_refused(program.tempo("infer model c.csv --set fails_on=b0"),
                   "--set: is for methods that need no model; leave it out for 'model'\n"
                   "1 problem; nothing was run.\n");
  }
  SECTION("a file of that name comes first") {
    program.write("probe", "no model");
    expect_refused(
        program.tempo("infer probe c.csv"),
        "probe: is no model, or cut short: its header would be 7810759558478983022 bytes "
        "long in a file of 8; expected a safetensors file\n1 problem; nothing was run.\n");
  }
  SECTION("a method that has to be trained, or has no device") {
    expect_refused(
        program.tempo("infer learner c.csv"),
        "learner: has to be trained first: 'tempo train' writes a model, which goes here\n"
        "1 problem; nothing was run.\n");
    expect_refused(program.tempo("infer probe c.csv --device cpu"),
                   "--device: is for models that were trained; leave it out for 'probe'\n"
                   "1 problem; nothing was run.\n");
  }
  SECTION("a method that needs a diagnosis, or a hypothesis") {
    expect_refused(program.tempo("infer labelled_probe u.csv"),
                   "u.csv:1:1: missing column 'diseased'\n1 problem; nothing was run.\n");
    expect_refused(program.tempo("infer bayes c.csv"),
                   "bayes: infers under a hypothesis: 'tempo compare' and 'tempo run' name one\n"
                   "1 problem; nothing was run.\n");
  }
}

TEST_CASE("faults of tempo infer are named, and nothing is written", "[cli][infer]") {
  const Program program;
  program.write("model", model("[4.0,1.0,5.0,2.0,3.0]"));
  program.write("c.csv", kCohort);
  const auto refused = [&](const std::string& arguments, const std::string& report) {
    expect_refused(program.tempo("infer " + arguments), report + "; nothing was run.\n");
    REQUIRE(!program.has("found.csv"));
  };
  SECTION("of the command line and of both files, all at once") {
    refused("none c2.csv --format xml --out found.csv",
            "tempo infer: unknown format 'xml'; expected 'csv' or 'json'\n"
            "none: does not exist, and is no method\nc2.csv: no such file\n3 problems");
    refused("labeled_probe c.csv",
            "labeled_probe: does not exist, and is no method; did you mean 'labelled_probe'?\n"
            "1 problem");
    refused("model c.csv --out c.csv",
            "--out: 'c.csv' is read, and would be overwritten\n1 problem");
    refused("model", "tempo infer: COHORT is missing (see tempo infer --help)\n1 problem");
  }
  SECTION("no model") {
    // Its first eight bytes, "particip", as a number.
    refused(
        "c.csv c.csv",
        fmt::format("c.csv: is no model, or cut short: its header would be {} bytes long in a file "
                    "of {}; expected a safetensors file\n1 problem",
                    0x7069636974726170, kCohort.size()));
  }
  SECTION("a model of a plugin that is not there") {
    program.write("model", edited(model("[]"), "learner", "laerner"));
    REQUIRE_THAT(
        without_tempo(program.tempo("infer model c.csv").errors),
        StartsWith("model: unknown trainable_method 'laerner'; expected 'learner'; did you "
                   "mean 'learner'? (searched "));
  }
  SECTION("a model that its plugin cannot load") {
    program.write("model", model("[1.0]"));
    const auto outcome = program.tempo("infer model c.csv");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(outcome.errors, StartsWith("model: plugin learner, while loading model: "));
    refused("model c.csv --device gone",
            "model: plugin learner, while loading model: there is no device 'gone'\n1 problem");
  }
  SECTION("biomarkers that the cohort lacks") {
    auto text = kCohort;
    for (const std::string row :
         {"ann,b0,1.5,True\n", "bob,b0,0.5,False\n", "ann,b4,1.5,True\n", "bob,b4,0.5,False\n"})
      text = edited(text, row, "");
    program.write("c.csv", text);
    refused("model c.csv --out found.csv",
            "c.csv: lacks biomarkers that the model was trained on: b0, b4\n1 problem");
  }
  SECTION("of several files, all at once") {
    program.write("d.csv", "participant,biomarker,measurement,diseased\neve,b0,1,1\n");
    refused("model d.csv c2.csv c.csv --out c.csv",
            "d.csv: lacks biomarkers that the model was trained on: b1, b4, b3, b2\n"
            "c2.csv: no such file\n--out: 'c.csv' is read, and would be overwritten\n3 problems");
    program.write("d.csv", edited(kCohort, "ann,b3,1.5", "ann,b3,"));
    program.write("e.csv", edited(kCohort, "bob,b4,0.5", "bob,b4,"));
    const auto outcome = program.tempo("infer model d.csv c.csv e.csv --out found.csv");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(outcome.errors, StartsWith("d.csv: plugin learner, while fitting: ") &&
                                     Contains("\ne.csv: plugin learner, while fitting: ") &&
                                     Contains("\n2 problems; nothing was run."));
    REQUIRE(!program.has("found.csv"));
  }
  SECTION("measurements that the method cannot do without") {
    program.write("c.csv", edited(kCohort, "ann,b3,1.5", "ann,b3,"));
    const auto outcome = program.tempo("infer model c.csv --out found.csv");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(outcome.errors,
                 StartsWith("c.csv: plugin learner, while fitting: the method takes no "
                            "missing values; missing: "));
    REQUIRE(!program.has("found.csv"));
  }
}

}  // namespace tempo::test
