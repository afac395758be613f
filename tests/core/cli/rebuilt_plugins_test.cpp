// A plugin that was rebuilt under its old version: cached fits are kept, and nobody is left in the
// dark.

#include "program.hpp"

namespace tempo::test {

using Catch::Matchers::Contains;

TEST_CASE("a rebuilt plugin of unchanged version draws a warning", "[cli][run]") {
  const Program program;
  program.experiment(kExperiment);
  REQUIRE(program.tempo("run e.toml").code == 0);
  const auto before = program.text("runs/e/results.csv");
  const std::string rebuilt = "--plugin-path '" TEMPO_REBUILT_PROBES "'";
  const std::string expected =
      "warning: results were kept that other files of these plugins made, although their versions "
      "are the same: method probe 1.0.0 (6 fits); if a plugin computes something else now, raise "
      "its version, or run with --refit probe\n";

  SECTION("not while the file is the same") {
    REQUIRE(program.tempo("run e.toml").errors.find("warning") == std::string::npos);
  }
  SECTION("by run, which takes the results all the same, and in every later run") {
    for (int time = 0; time < 2; ++time) {
      const auto found = program.tempo("run e.toml " + rebuilt);
      REQUIRE(found.code == 0);
      REQUIRE_THAT(found.errors, Contains(expected));
      REQUIRE_THAT(found.output, Contains("0 fitted, 0 failed, 6 taken from an earlier run"));
      REQUIRE(program.text("runs/e/results.csv") == before);
    }
    REQUIRE_THAT(program.text("runs/e/run.log"), Contains(expected));
  }
  SECTION("by plan") {
    REQUIRE_THAT(program.tempo("plan e.toml " + rebuilt).errors, Contains(expected));
  }
  SECTION("until the method is fitted again") {
    const auto found = program.tempo("run e.toml --refit probe " + rebuilt);
    REQUIRE(found.errors.find("warning") == std::string::npos);
    REQUIRE_THAT(found.output, Contains("6 fitted, 0 failed, 0 taken from an earlier run"));
    REQUIRE(program.tempo("run e.toml " + rebuilt).errors.find("warning") == std::string::npos);
    // The first file is the other one now.
    REQUIRE_THAT(program.tempo("run e.toml").errors, Contains(expected));
  }
}

TEST_CASE("a model stays the work of the plugin that trained it", "[cli][run]") {
  const Program program;
  program.experiment(kExperiment + std::string("[[method]]\nplugin = \"learner\"\n"));
  REQUIRE(program.tempo("run e.toml").code == 0);
  const std::string rebuilt = "--plugin-path '" TEMPO_REBUILT_PROBES "'";
  // One cohort more: fitted with the old model by the rebuilt plugin.
  const auto more = program.tempo("run e.toml --set cohorts.test=4 " + rebuilt);
  REQUIRE_THAT(more.output, Contains("0 models trained, 0 failed, 2 taken from an earlier run"));
  REQUIRE_THAT(more.errors, Contains("trainable_method learner 1.0.0 (12 fits)"));
  REQUIRE_THAT(program.tempo("plan e.toml --set cohorts.test=4 " + rebuilt).errors,
               Contains("trainable_method learner 1.0.0 (16 fits)"));
  const auto again = program.tempo("run e.toml --set cohorts.test=4 --refit learner " + rebuilt);
  REQUIRE_THAT(again.output, Contains("2 models trained, 0 failed, 0 taken from an earlier run"));
  REQUIRE_THAT(again.output, Contains("16 fitted, 0 failed, 8 taken from an earlier run"));
  REQUIRE(again.errors.find("learner") == std::string::npos);
}

TEST_CASE("--refit takes methods of the experiment", "[cli][run]") {
  const Program program;
  program.experiment(kExperiment + std::string("[[method]]\nplugin = \"chance\"\n"));
  REQUIRE(program.tempo("run e.toml").code == 0);
  const auto before = program.text("runs/e/results.csv");
  const auto results = program.results("runs/e/results.csv");
  const std::string refit = "run e.toml --refit probe --plugin-path '" TEMPO_REBUILT_PROBES "'";
  SECTION("and leaves the results of others") {
    const auto found = program.tempo(refit);
    REQUIRE_THAT(found.output, Contains("6 fitted, 0 failed, 6 taken from an earlier run"));
  }
  SECTION("and makes nothing again that the file at hand has made") {
    REQUIRE_THAT(program.tempo("run e.toml --refit probe").output, Contains("0 fitted"));
  }
  SECTION("and goes on where it stopped: a part of the fits loses none of the others") {
    const auto part = program.tempo(refit + " --shard 1/3");  // every third of 12
    REQUIRE_THAT(part.output, Contains("2 fitted, 0 failed, 2 taken from an earlier run"));
    REQUIRE(program.results("runs/e/results.csv") == results);
    REQUIRE_THAT(program.tempo(refit).output, Contains("4 fitted, 0 failed, 8 taken"));
  }
  SECTION("and refuses other names, before anything is lost") {
    const auto found = program.tempo("run e.toml --refit prob");
    REQUIRE(found.code == 2);
    REQUIRE_THAT(found.errors, Contains("tempo run: --refit: no method 'prob'; expected 'probe' or "
                                        "'chance'; did you mean 'probe'?"));
    REQUIRE(program.text("runs/e/results.csv") == before);
  }
}

}  // namespace tempo::test
