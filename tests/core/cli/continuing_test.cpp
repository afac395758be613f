// A run gives the same results however it is cut up, and never does anything twice.

#include <sstream>

#include "program.hpp"
#include "results/store.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

/// The method draws from its stream, so that a stream that depends on the order of work would show.
const std::string kNoisy = edited("plugin = \"probe\"", "plugin = \"probe\"\nnoise = 1.0");

/// The same, held up in the third fit until there is a file `go`; `log` gets a line per fit.
const std::string kHeld = kNoisy + "waits_for = \"go\"\nlog = \"log\"\n";

/// Shell: wait until a command succeeds, a minute or so at most.
constexpr const char* kUntil =
    "until_ok() { for i in $(seq 600); do eval \"$1\" && return; sleep 0.05; done; }; ";

/// Shell: start a run and wait until it has stored two fits and is at the third, which the probe
/// counts in its own process. Whatever happens then, it does not outlive the shell.
const std::string kStart = std::string(kUntil) +
                           "'" TEMPO_TEST_PROGRAM
                           "' run e.toml --jobs 1 --isolate none 2>err & pid=$!; "
                           "trap 'kill -9 $pid 2>/dev/null' EXIT; "
                           "until_ok '[ -f log ] && [ $(wc -l < log) -ge 3 ]'; "
                           "until_ok 'tempo plan e.toml | grep -q \"; 2 cached\"'; ";

}  // namespace

TEST_CASE("results do not depend on the number of jobs", "[cli][run]") {
  const Program program;
  program.experiment(kNoisy);
  REQUIRE(program.tempo("run e.toml --jobs 1 --out one").code == 0);
  REQUIRE(program.tempo("run e.toml --jobs 2 --out two").code == 0);
  REQUIRE(program.lines("one/results.csv").size() == 7);
  REQUIRE(program.results("one/results.csv") == program.results("two/results.csv"));
}

TEST_CASE("a cohort is the same whatever else is in the experiment", "[cli][run]") {
  const Program program;
  program.experiment(edited(kNoisy, "[[hypothesis]]\nplugin = \"h3\"\n",
                            "[[hypothesis]]\nplugin = \"h1\"\n[[hypothesis]]\nplugin = \"h3\"\n"));
  REQUIRE(program.tempo("run e.toml --set cohorts.test=4").code == 0);
  const auto more = program.results("runs/e/results.csv");
  program.experiment(kNoisy);
  REQUIRE(program.tempo("run e.toml --out fewer").code == 0);
  std::istringstream fewer(program.results("fewer/results.csv"));
  for (std::string row; std::getline(fewer, row);) REQUIRE_THAT(more, Contains(row + "\n"));
}

TEST_CASE("a fit with another number of subtypes is another fit", "[cli][run]") {
  const Program program;
  program.experiment(
      "schema = 1\nseed = 1\n[cohorts]\nsource = \"simulate\"\nbiomarkers = \"adni-12\"\n"
      "participants = 40\nhealthy_ratio = 0.3\ntest = 1\n[[hypothesis]]\nplugin = \"h6\"\n"
      "[[method]]\nplugin = \"bayes\"\niterations = 100\n");
  constexpr const char* kOneNew = "1 fitted, 0 failed, 0 taken from an earlier run";
  constexpr const char* kNoneNew = "0 fitted, 0 failed, 1 taken from an earlier run";
  REQUIRE_THAT(program.tempo("run e.toml").output, Contains(kOneNew));
  for (const std::string more : {"subtypes=2", "subtypes=3", "most_subtypes=2"}) {
    CAPTURE(more);
    const auto command = "run e.toml --set method.bayes." + more;
    REQUIRE_THAT(program.tempo(command).output, Contains(kOneNew));
    REQUIRE_THAT(program.tempo(command).output, Contains(kNoneNew));
    REQUIRE_THAT(program.tempo(command + " --set method.bayes.starts=3").output, Contains(kOneNew));
  }
  // One progression is what it was before there were several.
  REQUIRE_THAT(program.tempo("run e.toml").output, Contains(kNoneNew));
  REQUIRE_THAT(program.tempo("results runs/e").output, StartsWith("tau distance"));
}

TEST_CASE("of cohorts with subtypes the score of their orders is shown first", "[cli][results]") {
  const Program program;
  program.experiment(
      "schema = 1\nseed = 1\n[cohorts]\nbiomarkers = \"adni-12\"\nparticipants = 60\n"
      "healthy_ratio = 0.2\ntest = 1\n[[hypothesis]]\nplugin = \"mixture\"\nhypothesis = \"h6\"\n"
      "subtypes = { number = 2, orders = \"independent\" }\n"
      "[[method]]\nplugin = \"bebms\"\nsubtypes = 2\niterations = 40\n");
  REQUIRE(program.tempo("run e.toml").code == 0);
  REQUIRE_THAT(program.tempo("results runs/e").output, StartsWith("matched tau distance"));
  REQUIRE_THAT(program.tempo("results runs/e --metric tau_distance").output,
               StartsWith("tau distance"));
}

TEST_CASE("shards join to the whole in any order", "[cli][run][merge]") {
  const Program program;
  program.experiment(kNoisy);
  for (const auto* part : {"1", "2", "3"}) {
    const std::string name = part;
    const auto outcome = program.tempo("run e.toml --shard " + name + "/3 --out part" + name);
    REQUIRE(outcome.code == 0);
    REQUIRE_THAT(outcome.output, Contains("2 fitted, 0 failed, 0 taken from an earlier run"));
  }
  const auto whole = undisturbed(kNoisy);
  for (const auto* parts : {"part1 part2 part3", "part3 part1 part2"}) {
    const auto outcome = program.tempo("merge " + std::string(parts) + " --out whole");
    REQUIRE(outcome.output == "6 of 6 planned fits have a result\nresults: whole/results.csv\n" +
                                  report_line("whole"));
    REQUIRE(program.results("whole/results.csv") == whole);
    std::filesystem::remove_all(program.path() / "whole");
  }

  SECTION("some of them make a part of the whole, which takes the others later") {
    REQUIRE(program.tempo("merge part2 --out whole").output ==
            "2 of 6 planned fits have a result\nresults: whole/results.csv\n" +
                report_line("whole"));
    REQUIRE(program.tempo("merge part1 part3 --out whole").code == 0);
    REQUIRE(program.results("whole/results.csv") == whole);
  }
  SECTION("a merge that was killed at once is made again") {
    program.write("whole/run.lock", "");
    { Store store(program.path() / "whole/results.sqlite", Database::Mode::create); }
    REQUIRE(program.tempo("merge part1 part2 part3 --out whole").code == 0);
    REQUIRE(program.results("whole/results.csv") == whole);
  }
  SECTION("a part without its lock file is worth a word if no other has one") {
    std::filesystem::remove(program.path() / "part1/experiment.lock.toml");
    REQUIRE(program.tempo("merge part1 part2 --out whole").errors.empty());
    REQUIRE(program.has("whole/experiment.lock.toml"));
    const auto outcome = program.tempo("merge part1 --out other");
    REQUIRE(outcome.code == 0);
    REQUIRE(
        outcome.errors ==
        "warning: none of the parts has its experiment.lock.toml, so 'other' has none either\n");
  }
  SECTION("the joined folder is a run folder like any other") {
    REQUIRE(program.tempo("merge part1 part2 part3 --out whole").code == 0);
    REQUIRE_THAT(program.tempo("run whole/experiment.lock.toml --out whole").output,
                 Contains("0 fitted, 0 failed, 6 taken from an earlier run"));
  }
}

TEST_CASE("a run that was killed goes on where it was", "[cli][run]") {
  const Program program;
  program.experiment(kHeld);
  const auto killed = program.shell(kStart + "kill -9 $pid; wait $pid");
  REQUIRE(killed.code == 137);
  REQUIRE(program.lines("log").size() == 3);
  program.write("go", "");
  const auto again = program.tempo("run e.toml");
  REQUIRE(again.code == 0);
  REQUIRE(program.lines("log").size() == 3 + 4);
  REQUIRE_THAT(again.output, Contains("4 fitted, 0 failed, 2 taken from an earlier run"));
  REQUIRE(program.results("runs/e/results.csv") == undisturbed(kNoisy));
  REQUIRE_THAT(program.tempo("run e.toml").output, Contains("0 fitted, 0 failed, 6 taken"));
}

TEST_CASE("SIGTERM ends a fit that goes on, and what was stored stays", "[cli][run]") {
  const Program program;
  program.experiment(kHeld);
  const auto stopped =
      program.shell(kStart +
                    "from=$(date +%s%N); kill -TERM $pid; wait $pid; code=$?; "
                    "echo $(( ($(date +%s%N) - from) / 1000000 )) > milliseconds; exit $code");
  REQUIRE(stopped.code == 130);
  REQUIRE_THAT(program.text("err"), Contains("did not stop within 2 seconds of SIGTERM"));
  REQUIRE(std::stoi(program.text("milliseconds")) < 10'000);  // of the minute that the fit takes
  program.write("go", "");
  REQUIRE_THAT(program.tempo("run e.toml").output, Contains("4 fitted, 0 failed, 2 taken"));
  REQUIRE(program.results("runs/e/results.csv") == undisturbed(kNoisy));
}

TEST_CASE("a run whose output nobody reads goes on", "[cli][run]") {
  const Program program;
  program.experiment(kNoisy);
  SECTION("after its first line") {
    const auto outcome = program.shell("(tempo run e.toml --jobs 1; echo $? > code) | head -1");
    REQUIRE(program.text("code") == "0\n");
    REQUIRE(outcome.errors.empty());
  }
  SECTION("from the start: no other file receives it") {
    const auto outcome = program.shell("tempo run e.toml --jobs 1 >&-");
    REQUIRE(outcome.code == 1);
    REQUIRE(program.text("runs/e/run.lock").empty());
  }
  REQUIRE(program.results("runs/e/results.csv") == undisturbed(kNoisy));
}

TEST_CASE("a run whose store is removed while it writes fails", "[cli][run]") {
  const Program program;
  program.experiment(kHeld);
  const auto outcome = program.shell(kStart + "rm runs/e/results.sqlite*; touch go; wait $pid");
  REQUIRE(outcome.code == 1);
  REQUIRE_THAT(program.text("err"),
               Contains("was removed, or replaced, while it was being written"));
  REQUIRE(program.tempo("run e.toml").code == 0);
  REQUIRE(program.results("runs/e/results.csv") == undisturbed(kNoisy));
}

TEST_CASE("a store that holds nothing is no empty table", "[cli][results]") {
  const Program program;
  program.write("r/results.sqlite", "");
  for (const auto* command : {"results r", "results r --table warnings"}) {
    const auto outcome = program.tempo(command);
    INFO(outcome.output);
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(outcome.errors, StartsWith("r/results.sqlite: holds nothing"));
  }
}

TEST_CASE("a simulation that was killed goes on, and is not taken for whole before",
          "[cli][simulate]") {
  const Program program;
  program.experiment(kExperiment);
  REQUIRE(program.tempo("simulate e.toml --out whole").code == 0);
  REQUIRE(!program.has("whole/.unfinished-simulation"));
  const auto uses = [&](const std::string& folder) {
    program.write("f.toml", "schema = 1\nseed = 1\n[cohorts]\nsource = \"folder\"\npath = \"" +
                                folder + "\"\n[[method]]\nplugin = \"probe\"\n");
    return program.tempo("validate f.toml");
  };
  // Killed in the second hypothesis: a cohort of it is there.
  const std::string kill = "'" TEMPO_TEST_PROGRAM
                           "' simulate e.toml --out part >out & pid=$!; "
                           "while kill -0 $pid 2>/dev/null && [ ! -e part/late ]; do :; done; "
                           "kill -9 $pid; wait $pid";
  program.experiment(edited("test = 3", "test = 300"));
  program.shell(kill);
  REQUIRE(program.has("part/.unfinished-simulation"));
  REQUIRE(uses("part").code == 2);
  REQUIRE_THAT(uses("part").errors,
               Contains("part: was not written to its end: the same tempo simulate goes on there"));
  SECTION("by the same command") {
    REQUIRE(program.tempo("simulate e.toml --out other").code == 0);
    const auto again = program.tempo("simulate e.toml --out part");
    INFO(again.errors);
    REQUIRE(again.code == 0);
    REQUIRE_THAT(again.output, Contains("written before"));
    REQUIRE(program.shell("diff -r part other").code == 0);
    REQUIRE(uses("part").code == 0);
  }
  SECTION("by no other") {
    const auto other = program.tempo("simulate e.toml --set seed=8 --out part");
    REQUIRE(other.code == 1);
    REQUIRE_THAT(other.errors, Contains("holds a part of another simulation"));
  }
}

TEST_CASE("Ctrl-C ends the fits in flight and says how to go on", "[cli][run]") {
  const Program program;
  program.experiment(kHeld);
  const auto stopped = program.shell(
      kStart + "kill -INT $pid; until_ok 'grep -q stopping err'; touch go; wait $pid");
  REQUIRE(stopped.code == 130);
  REQUIRE(program.text("err") ==
          "stopping after the fits in flight; Ctrl-C again to leave at once\n"
          "interrupted: 3 fits to go; the same command continues\n");
  REQUIRE(program.lines("log").size() == 3);
  REQUIRE(program.lines("runs/e/results.csv").size() == 1 + 3);  // nothing half-done
  REQUIRE_THAT(program.lines("runs/e/run.log").back(), Contains("; interrupted"));
  const auto again = program.tempo("run e.toml");
  REQUIRE(again.code == 0);
  REQUIRE(program.lines("log").size() == 6);
  REQUIRE(program.results("runs/e/results.csv") == undisturbed(kNoisy));
}

TEST_CASE("a run folder has one user at a time", "[cli][run]") {
  const Program program;
  program.experiment(kHeld);
  const auto second = program.shell(kStart + "tempo run e.toml");
  REQUIRE(second.code == 1);
  REQUIRE(second.errors ==
          "tempo run: another tempo is using the run folder 'runs/e'; wait for it or "
          "choose another with --out\n");
}

TEST_CASE("a folder that cannot be a run folder is left alone", "[cli][run]") {
  const Program program;
  program.experiment(kExperiment);
  const auto refused = [&](const std::string& folder) {
    const auto outcome = program.tempo("run e.toml --out " + folder);
    REQUIRE(outcome.code == 1);
    REQUIRE(outcome.output.empty());
    return outcome.errors;
  };
  SECTION("it holds other files") {
    program.write("notes/thesis.tex", "years of work");
    REQUIRE(refused("notes") ==
            "tempo run: 'notes' holds other files and no results.sqlite; choose an "
            "empty or new folder with --out\n");
    REQUIRE(!program.has("notes/run.lock"));
  }
  SECTION("it holds models that are not of a run") {
    program.write("mine/models/thesis.pt", "weeks of work");
    REQUIRE_THAT(refused("mine"), Contains("holds other files"));
  }
  SECTION("it is a file") {
    program.write("file", "");
    REQUIRE(refused("file") == "tempo run: 'file' is a file, expected a folder for the run\n");
    REQUIRE(refused("file/below") ==
            "tempo run: cannot make the run folder 'file/below': Not a directory\n");
  }
  SECTION("its store is something else") {
    program.write("broken/results.sqlite", "no database, but longer than nothing at all");
    REQUIRE_THAT(refused("broken"), EndsWith("/broken/results.sqlite': file is not a database\n"));
    REQUIRE(program.text("broken/results.sqlite") == "no database, but longer than nothing at all");
  }
}

TEST_CASE("a run folder that was taken away while a model was trained is begun anew",
          "[cli][run]") {
  const Program program;
  program.experiment(kExperiment);
  program.write("runs/e/models/checkpoints/state", "of a training that went on");
  REQUIRE(program.tempo("run e.toml").code == 0);
  REQUIRE(program.lines("runs/e/results.csv").size() == 1 + 6);
}

TEST_CASE("a run does what is missing and plan says so before", "[cli][run][plan]") {
  const Program program;
  program.experiment(kExperiment);
  REQUIRE(program.tempo("plan e.toml").output ==
          "probe on each of 2 hypotheses: 3 planned, 0 cached, 3 to run; 3 new\n"
          "2 hypotheses x 1 method x 3 cohorts = 6 fits; 0 cached in 'runs/e', 6 to run\n");
  REQUIRE(program.tempo("run e.toml").code == 0);
  SECTION("nothing") {
    REQUIRE_THAT(program.tempo("plan e.toml").output, Contains("6 cached in 'runs/e', 0 to run"));
    const auto again = program.tempo("run e.toml");
    REQUIRE(again.code == 0);
    REQUIRE_THAT(again.output, Contains("0 fitted, 0 failed, 6 taken from an earlier run"));
  }
  SECTION("a new cohort") {
    REQUIRE(line_with(program.tempo("plan e.toml --set cohorts.test=4").output, "probe") ==
            "probe on each of 2 hypotheses: 4 planned, 3 cached, 1 to run; 1 new");
    REQUIRE_THAT(program.tempo("run e.toml --set cohorts.test=4").output,
                 Contains("2 fitted, 0 failed, 6 taken from an earlier run"));
  }
  SECTION("what is stale, and why") {
    REQUIRE(
        line_with(program.tempo("plan e.toml --set hypothesis.late.stage_prior.alpha=9.0").output,
                  "late") ==
        "late probe: 3 planned, 0 cached, 3 to run; 3 stale: "
        "cohorts.process.settings.stage_prior.alpha: 8 -> 9");
    REQUIRE(
        line_with(program.tempo("plan e.toml --plugin-path '" TEMPO_LATER_PROBES "'").output,
                  "probe") ==
        R"(probe on each of 2 hypotheses: 3 planned, 0 cached, 3 to run; 3 stale: method.version: "1.0.0" -> "2.0.0")");
  }
  SECTION("going back to an earlier state costs nothing") {
    REQUIRE_THAT(program.tempo("run e.toml --set seed=8").output, Contains("6 fitted"));
    REQUIRE_THAT(program.tempo("run e.toml").output, Contains("6 taken from an earlier run"));
  }
  SECTION("under a new name a method is the same") {
    program.experiment(edited("plugin = \"probe\"", "plugin = \"probe\"\nid = \"renamed\""));
    const auto renamed = program.tempo("run e.toml");
    REQUIRE_THAT(renamed.output, Contains("6 taken from an earlier run"));
    REQUIRE_THAT(program.text("runs/e/results.csv"), Contains("h3,0,renamed,"));
  }
}

TEST_CASE("a sweep over one method's settings runs the others once", "[cli][run][sweep]") {
  const Program program;
  program.experiment(std::string(kExperiment) +
                     "log = \"log\"\n[[method]]\nplugin = \"labelled_probe\"\n[sweep]\n"
                     "\"method.labelled_probe.shift\" = [0.0, 1.0]\nzip = []\n");
  REQUIRE(
      line_with(program.tempo("plan e.toml").output, "shift=1 probe") ==
      "method.labelled_probe.shift=1 probe on each of 2 hypotheses: 3 planned, 0 cached, 0 to run, 3 the same as "
      "others");
  const auto outcome = program.tempo("run e.toml");
  REQUIRE(outcome.code == 0);
  REQUIRE_THAT(outcome.output,
               Contains("18 fitted, 0 failed, 0 taken from an earlier run, 6 the same as others"));
  REQUIRE(program.lines("log").size() == 6);
  const auto csv = program.lines("runs/e/results.csv");
  REQUIRE(csv.size() == 25);
  REQUIRE_THAT(csv[0], StartsWith("method.labelled_probe.shift,hypothesis,cohort,method,"));
  REQUIRE_THAT(csv[1], StartsWith("0,h3,0,probe,,ok,"));
  REQUIRE_THAT(csv[13], StartsWith("1,h3,0,probe,,ok,"));
  REQUIRE(csv[13].substr(1) == csv[1].substr(1));  // seconds, too
  REQUIRE_THAT(program.tempo("run e.toml").output, Contains("24 taken from an earlier run"));
}

TEST_CASE("the lock file is the experiment again", "[cli][run][lock]") {
  const Program program;
  program.write("other/table.toml", edited(kTable, "sd = 1.5", "sd = 1.6"));
  program.write("elsewhere/file", "");
  const auto again = [&](const std::string& expected) {
    const auto before = program.results("runs/e/results.csv");
    const auto outcome = program.shell(
        "cd elsewhere; tempo run ../runs/e/experiment.lock.toml --out "
        "../runs/e");
    REQUIRE(outcome.errors.empty());
    REQUIRE_THAT(outcome.output, Contains("0 fitted, 0 failed, " + expected + " taken"));
    REQUIRE(program.results("runs/e/results.csv") == before);
  };
  SECTION("relative paths lead where they led") {
    program.experiment(kExperiment);
    REQUIRE(program.tempo("run e.toml").code == 0);
    again("6");
  }
  SECTION("those of a sweep, too") {
    program.experiment(kExperiment +
                       std::string("[sweep]\n\"cohorts.biomarkers\" = [\"five.toml\", "
                                   "\"other/table.toml\"]\n"));
    REQUIRE(program.tempo("run e.toml").code == 0);
    again("12");
  }
  SECTION("paths of the command line start at the current folder") {
    program.experiment(kExperiment);
    const auto outcome = program.shell(
        "cd other; tempo run ../e.toml --set cohorts.biomarkers=table.toml --set seed=9 --out "
        "../runs/e");
    REQUIRE(outcome.code == 0);
    again("6");
  }
  SECTION("what a sweep changes keeps the defaults of each point") {
    program.experiment(kExperiment + std::string("[[method]]\nplugin = \"debm\"\n[sweep]\n"
                                                 "\"method.debm.fidelity\" = [\"paper\", "
                                                 "\"repaired\"]\n"));
    REQUIRE(program.tempo("run e.toml").code == 0);
    again("24");
  }
  SECTION("of a part, too") {
    program.experiment(
        edited("event_times = \"permutation\"\n", "") +
        "[sweep]\n\"hypothesis.late.event_times\" = [\"beta\", { kind = \"permutation\" }]\n");
    REQUIRE(program.tempo("run e.toml").code == 0);
    again("12");
  }
  SECTION("under its own name it continues the same run folder") {
    program.experiment("experiment.name = \"mine\"\nexperiment.description = \"two words\"\n" +
                       std::string(kExperiment));
    REQUIRE(program.tempo("run e.toml").code == 0);
    REQUIRE_THAT(program.tempo("run runs/mine/experiment.lock.toml").output,
                 Contains("6 taken from an earlier run"));
    REQUIRE_THAT(program.text("runs/mine/experiment.lock.toml"),
                 Contains("description = \"two words\""));
  }
}

}  // namespace tempo::test
