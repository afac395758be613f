// tempo run with methods that are trained: what is trained when, what is kept, and what happens
// when it goes wrong.

#include <algorithm>

#include "program.hpp"

namespace tempo::test {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

/// Two models on two hypotheses, beside a method that is not trained: 6 + 12 fits.
const std::string kTrained = std::string(kExperiment) + "[[method]]\nplugin = \"learner\"\n";

/// The only file of models/ whose name begins and ends like this.
fs::path model_file(const Program& program, const std::string& begin, const std::string& end,
                    const std::string& run = "runs/e") {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(program.path() / run / "models")) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(begin) && name.ends_with(end)) found.push_back(entry.path());
  }
  REQUIRE(found.size() == 1);
  return found.front();
}

bool holds(const std::string& text, const std::string& passage) {
  return text.find(passage) != std::string::npos;
}

/// The second epoch of a training waits for a file `go`; `log` gets a line per epoch.
const std::string kHeldTraining = kTrained + "waits_for = \"go\"\nlog = \"log\"\n";

/// Shell: start a run and wait until its first training is in the second epoch.
const std::string kStartTraining =
    "until_ok() { for i in $(seq 600); do eval \"$1\" && return; sleep 0.05; done; }; "
    "'" TEMPO_TEST_PROGRAM
    "' run e.toml --jobs 1 2>err & pid=$!; "
    "trap 'kill -9 $pid 2>/dev/null' EXIT; "
    "until_ok '[ -f log ] && [ $(wc -l < log) -ge 2 ]'; ";

}  // namespace

TEST_CASE("a run trains what is missing and applies every model to every hypothesis",
          "[cli][training]") {
  const Program program;
  program.experiment(kTrained);
  const auto first = program.tempo("run e.toml");
  REQUIRE(first.code == 0);
  REQUIRE(first.errors.empty());
  REQUIRE_THAT(first.output, Contains("\ntraining learner on h3 (1 of 2): new\n"));
  REQUIRE_THAT(first.output, Contains("\ntraining learner on late (2 of 2): new\n"));
  REQUIRE_THAT(first.output, Contains("2 models trained, 0 failed, 0 taken from an earlier run; 18 "
                                      "fitted, 0 failed, 0 taken"));
  const auto csv = program.lines("runs/e/results.csv");
  REQUIRE(csv.size() == 19);
  REQUIRE_THAT(csv[1], StartsWith("h3,0,probe,,ok,"));
  REQUIRE_THAT(csv[2], StartsWith("h3,0,learner,h3,ok,"));
  REQUIRE_THAT(csv[3], StartsWith("h3,0,learner,late,ok,"));
  REQUIRE_THAT(csv[18], StartsWith("late,2,learner,late,ok,"));
  REQUIRE(holds(csv[18], ",infer,"));
  REQUIRE_THAT(first.output,
               Contains("trained on  h3 ") && Contains("\nmodels\nmodel            epochs"));

  SECTION("the model, and its history beside it; nothing else is left") {
    REQUIRE_THAT(read_text(model_file(program, "learner.h3.", ".safetensors")),
                 Contains(R"("plugin":"learner")"));
    const auto history = read_text(model_file(program, "learner.late.", ".history.csv"));
    REQUIRE_THAT(history, StartsWith("epoch,validation_tau_distance,cohorts_seen\n1,"));
    REQUIRE(std::count(history.begin(), history.end(), '\n') == 4);
    REQUIRE(fs::is_empty(program.path() / "runs/e/models/checkpoints"));
  }
  SECTION("found again") {
    REQUIRE_THAT(program.tempo("plan e.toml").output,
                 Contains("model learner on h3: cached\n") && Contains("2 models, 0 to train; "));
    const auto again = program.tempo("run e.toml --set cohorts.test=4");
    REQUIRE(!holds(again.output, "training learner"));
    REQUIRE_THAT(again.output,
                 Contains("0 models trained, 0 failed, 2 taken from an earlier run; 6 fitted"));
  }
  SECTION("also under another name, and after other settings") {
    REQUIRE_THAT(program.tempo("run e.toml --set method.learner.epochs=2").output,
                 Contains("2 models trained"));
    REQUIRE_THAT(
        program.tempo("plan e.toml --set method.learner.epochs=4").output,
        Contains("model learner on h3: to train; stale: method.settings.epochs: 2 -> 4\n"));
    program.experiment(kTrained + "id = \"renamed\"\n");
    REQUIRE_THAT(program.tempo("run e.toml").output,
                 Contains("0 models trained, 0 failed, 2 taken from an earlier run; 0 fitted"));
    REQUIRE_THAT(program.tempo("plan e.toml --set method.renamed.epochs=4").output,
                 Contains("model renamed on h3: to train; "));
  }
  SECTION("deleted or damaged files are trained again, which is said") {
    const auto before = program.results("runs/e/results.csv");
    const auto of_h3 = model_file(program, "learner.h3.", ".safetensors");
    const auto of_late = model_file(program, "learner.late.", ".safetensors");
    const auto bytes = read_text(of_h3);
    fs::remove(of_h3);
    fs::resize_file(of_late, fs::file_size(of_late) - 1);
    REQUIRE_THAT(program.tempo("plan e.toml").output,
                 Contains("model learner on h3: to train; its file was deleted\n") &&
                     Contains("model learner on late: to train; its file was changed since it was "
                              "trained\n"));
    const auto again = program.tempo("run e.toml");
    REQUIRE(again.code == 0);
    REQUIRE_THAT(
        again.output,
        Contains("training learner on h3 (1 of 2): its file was deleted\n") &&
            Contains("training learner on late (2 of 2): its file was changed since it was "
                     "trained\n"));
    REQUIRE(read_text(of_h3) == bytes);
    REQUIRE(program.results("runs/e/results.csv") == before);
  }
  SECTION("a history that was deleted is written again, without training") {
    const auto file = model_file(program, "learner.late.", ".history.csv");
    const auto text = read_text(file);
    fs::remove(file);
    const auto again = program.tempo("run e.toml");
    REQUIRE(again.code == 0);
    REQUIRE_THAT(again.output,
                 Contains("\nthe history of learner on late was deleted: written again\n") &&
                     Contains("0 models trained, 0 failed, 2 taken from an earlier run; 0 fitted"));
    REQUIRE(read_text(file) == text);
    REQUIRE(!holds(program.tempo("run e.toml").output, "written again"));
  }
  SECTION("the lock file is the experiment again") {
    REQUIRE_THAT(program.text("runs/e/experiment.lock.toml"), Contains("\ntrain_on = \"each\"\n"));
    REQUIRE_THAT(program.tempo("run runs/e/experiment.lock.toml").output,
                 Contains("0 models trained, 0 failed, 2 taken from an earlier run; 0 fitted"));
  }
  SECTION("cross tables of a metric") {
    const auto cross =
        program.tempo("results runs/e --table cross --metric stage_mae --format csv");
    REQUIRE(cross.code == 0);
    REQUIRE_THAT(cross.output, StartsWith("method,labels,trained_on,hypothesis,mean,"));
    REQUIRE(std::count(cross.output.begin(), cross.output.end(), '\n') == 10);
  }
}

TEST_CASE("cross tables need a trained method", "[cli][training][results]") {
  const Program program;
  program.experiment(kExperiment);
  REQUIRE(program.tempo("run e.toml").code == 0);
  const auto outcome = program.tempo("results runs/e --table cross");
  REQUIRE(outcome.code == 2);
  REQUIRE(
      outcome.errors ==
      "runs/e: has no cross table: none of its methods is trained\n1 problem; nothing was run.\n");
  REQUIRE(
      program.tempo("results runs/e --table cros").errors ==
      "tempo results: unknown table 'cros'; expected 'summary', 'curve', 'pivot', "
      "'cross', 'calibration', 'evidence', 'checks', 'diagnostics', 'warnings', 'failures', 'traces', "
      "'orders', 'ranks', 'consensus', 'positional-variance', 'timeline', 'groups', "
      "'stages', 'participants', 'subtypes', 'members', 'agreement' or 'recovery'; did you mean "
      "'cross'?\n1 problem; nothing was run.\n");
}

TEST_CASE("trained results do not depend on the number of jobs, nor on how they are sharded",
          "[cli][training][merge]") {
  const Program program;
  program.experiment(kTrained + "log = \"log\"\n");
  REQUIRE(program.tempo("run e.toml --jobs 1 --out one").code == 0);
  REQUIRE(program.lines("log").back() == "late 3 1");
  REQUIRE(program.tempo("run e.toml --jobs 2 --out two").code == 0);
  REQUIRE(program.lines("log").back() == "late 3 2");  // all of them for one training
  const auto whole = program.results("one/results.csv");
  REQUIRE(program.results("two/results.csv") == whole);

  for (const std::string part : {"1", "2"}) {
    const auto outcome = program.tempo("run e.toml --shard " + part + "/2 --out part" + part);
    REQUIRE(outcome.code == 0);
    REQUIRE_THAT(outcome.output, Contains("1 model trained, 0 failed"));  // and no other
  }
  REQUIRE(program.tempo("merge part1 part2 --out whole").code == 0);
  REQUIRE(program.results("whole/results.csv") == whole);
  // The models came along.
  REQUIRE_THAT(program.tempo("run e.toml --out whole").output,
               Contains("0 models trained, 0 failed, 2 taken from an earlier run; 0 fitted"));
  REQUIRE(read_text(model_file(program, "learner.late.", ".safetensors", "whole")) ==
          read_text(model_file(program, "learner.late.", ".safetensors", "one")));
}

TEST_CASE("a training that was killed costs the epoch it was in", "[cli][training]") {
  const Program program;
  program.experiment(kHeldTraining);
  const auto killed = program.shell(kStartTraining + "kill -9 $pid; wait $pid");
  REQUIRE(killed.code == 137);
  REQUIRE(program.lines("log") == std::vector<std::string>{"h3 1 1", "h3 2 1"});
  REQUIRE_THAT(
      program.tempo("plan e.toml").output,
      Contains("model learner on h3: to train; begun before, goes on from its checkpoints\n"));
  program.write("go", "");
  const auto again = program.tempo("run e.toml --jobs 1");
  REQUIRE(again.code == 0);
  REQUIRE(program.lines("log") == std::vector<std::string>{"h3 1 1", "h3 2 1", "h3 2 1", "h3 3 1",
                                                           "late 1 1", "late 2 1", "late 3 1"});
  REQUIRE(program.results("runs/e/results.csv") == undisturbed(kTrained));
  const auto history = read_text(model_file(program, "learner.h3.", ".history.csv"));
  REQUIRE(std::count(history.begin(), history.end(), '\n') == 4);
}

TEST_CASE("Ctrl-C stops a training and says how to go on", "[cli][training]") {
  const Program program;
  program.experiment(kHeldTraining);
  const auto stopped = program.shell(kStartTraining + "kill -INT $pid; wait $pid");
  REQUIRE(stopped.code == 130);
  REQUIRE(
      program.text("err") ==
      "stopping the training; Ctrl-C again to leave at once\n"
      "interrupted in the training of learner on h3, 18 fits to go; the same command continues\n");
  REQUIRE(program.lines("runs/e/results.csv").size() == 1);
  program.write("go", "");
  REQUIRE(program.tempo("run e.toml").code == 0);
  REQUIRE(program.results("runs/e/results.csv") == undisturbed(kTrained));
}

TEST_CASE("a training that fails is a failed row for each of its fits",
          "[cli][training][failures]") {
  const Program program;
  SECTION("and the others go on") {
    program.experiment(kTrained + "fails_on = \"h3\"\nwarns = true\n");
    const auto outcome = program.tempo("run e.toml");
    REQUIRE(outcome.code == 1);
    REQUIRE(outcome.errors ==
            "training learner on h3 failed: plugin learner, while training: the loss is NaN\n"
            "1 training and 6 fits failed; the same command tries again\n");
    REQUIRE_THAT(outcome.output, Contains("\ntrained with warnings learner on late: ") &&
                                     Contains("the last epoch was no better\nall warnings: "));
    const auto csv = program.lines("runs/e/results.csv");
    REQUIRE(csv.size() == 19);
    REQUIRE(std::count_if(csv.begin(), csv.end(), [](const std::string& line) {
              return holds(line, ",learner,h3,failed,") &&
                     holds(
                         line,
                         "training on h3 failed: plugin learner, while training: the loss is NaN");
            }) == 6);
    REQUIRE(std::count_if(csv.begin(), csv.end(),
                          [](const auto& line) { return holds(line, ",ok,"); }) == 12);
    REQUIRE_THAT(program.text("runs/e/run.log"), Contains("\nfailed training: learner on h3: "));
    // Mended, only that one is trained.
    program.experiment(kTrained + "warns = true\n");
    REQUIRE_THAT(program.tempo("run e.toml").output, Contains("2 models trained"));
  }
  SECTION("with --fail-fast they do not") {
    program.experiment(kTrained + "fails_on = \"h3\"\n");
    const auto outcome = program.tempo("run e.toml --fail-fast --jobs 1");
    REQUIRE(outcome.code == 1);
    REQUIRE_THAT(outcome.errors, Contains("1 training and 1 fit failed, 17 to go; "));
    REQUIRE(!holds(outcome.output, "on late (2 of 2)"));
  }
  SECTION("what it writes has to be a model of its own") {
    const auto [writes, why] = GENERATE(table<std::string, std::string>({
        {"garbage", "the model it wrote is no model, or cut short: "},
        {"nothing", "the model it wrote does not exist"},
        {"another's", "the model it wrote says plugin 'other'"},
        {"unlabelled", "the model it wrote does not say which plugin made it: "},
    }));
    program.experiment(kTrained + "train_on = [\"h3\"]\nwrites = \"" + writes + "\"\n");
    const auto outcome = program.tempo("run e.toml");
    REQUIRE(outcome.code == 1);
    REQUIRE_THAT(outcome.errors, StartsWith("training learner on h3 failed: plugin learner, while "
                                            "training: " +
                                            why));
    for (const auto& entry : fs::directory_iterator(program.path() / "runs/e/models"))
      REQUIRE(entry.path().extension() != ".safetensors");
  }
  SECTION("it has to end finished") {
    program.experiment(kTrained + "stops_early = true\n");
    REQUIRE_THAT(
        program.tempo("run e.toml").errors,
        StartsWith("training learner on h3 failed: plugin learner, while training: it stopped "
                   "before it was finished, though nobody asked it to\n"));
  }
}

TEST_CASE("public cohorts are scored by models of what is simulated beside them",
          "[cli][training][folder]") {
  const Program program;
  program.experiment(edited("plugin = \"h3\"", "plugin = \"h5\""));
  REQUIRE(program.tempo("simulate e.toml --out cohorts --set cohorts.test=2").code == 0);
  fs::remove_all(program.path() / "cohorts/late");
  const std::string folder =
      "schema = 1\nseed = 7\n[cohorts]\nsource = \"folder\"\npath = \"cohorts\"\n"
      "biomarkers = \"five.toml\"\nparticipants = 30\n[[method]]\nplugin = \"learner\"\n";
  SECTION("the public names stand for the plugins") {
    program.experiment(folder);
    const auto outcome = program.tempo("run e.toml");
    REQUIRE(outcome.code == 0);
    const auto csv = program.lines("runs/e/results.csv");
    REQUIRE(csv.size() == 3);
    REQUIRE_THAT(csv[1], StartsWith("h5,0,learner,h5,ok,"));
    REQUIRE_THAT(program.tempo("plan e.toml --set cohorts.participants=31").output,
                 Contains("model learner on h5: to train; stale: participants: 30 -> 31\n"));
  }
  SECTION("a table with other biomarkers than the files is refused before anything is trained") {
    program.experiment(edited(folder, "\"five.toml\"", "\"four.toml\""));
    program.write("four.toml", edited(edited(kTable, "\"b4\"", "\"b5\""), "\"b3\"", "\"b6\""));
    const auto outcome = program.tempo("run e.toml");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(
        outcome.errors,
        Contains("_m0.csv: has other biomarkers than 'four.toml', the table that models are "
                 "trained with: it lacks b5, b6 and it has b3, b4 besides\n"));
    REQUIRE_THAT(outcome.errors, Contains("2 problems; nothing was run."));
    REQUIRE(!program.has("runs"));
  }
}

TEST_CASE("a second training of one model is refused, and the first does not notice",
          "[cli][train]") {
  const Program program;
  program.write("five.toml", kTable);
  const std::string train =
      "tempo train --method learner --hypothesis h3 --biomarkers five.toml --participants 20 "
      "--out m.safetensors --set waits_for=go";
  const auto outcome = program.shell(train +
                                     " > first 2>&1 & for i in $(seq 500); do ls "
                                     "m.safetensors.checkpoints/*/plugin/state > looked 2>&1 && "
                                     "break; sleep 0.02; done; " +
                                     train + "; echo $? > second; touch go; wait");
  REQUIRE(program.text("second") == "1\n");
  REQUIRE(outcome.errors ==
          "tempo train: another tempo is training 'm.safetensors'; wait for it, or choose another "
          "file with --out\n");
  REQUIRE_THAT(program.text("first"), Contains("model: m.safetensors\n"));
  REQUIRE_FALSE(program.has("m.safetensors.checkpoints"));
}

TEST_CASE("a signal ends commands with a word and a code of its own", "[cli]") {
  const Program program;
  program.experiment(edited(kExperiment, "test = 3", "test = 30000"));
  for (const std::string signal : {"INT", "TERM", "HUP"}) {
    INFO(signal);
    const auto outcome =
        program.shell("timeout --preserve-status -s " + signal +
                      " 0.5 '" TEMPO_TEST_PROGRAM "' simulate e.toml --out sim" + signal);
    REQUIRE(outcome.code == 130);
    REQUIRE(outcome.errors == "interrupted before it was done\n");
  }
}

}  // namespace tempo::test
