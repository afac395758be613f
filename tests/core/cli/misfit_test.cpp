// A method that does not go with a hypothesis, as a user meets it.

#include <fmt/format.h>

#include "program.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

/// h3, and own_parts, under which bayes cannot infer. The last entry begins in line 13.
const std::string kMisfit =
    std::string(kExperiment).substr(0, std::string(kExperiment).find("id = \"late\"")) +
    R"(plugin = "own_parts"
[[method]]
plugin = "probe"
[[method]]
plugin = "bayes"
iterations = 60
burn_in = 20
replications = 0
)";

const std::string kNote = "3 fits not applicable: bayes under own_parts: ";

}  // namespace

TEST_CASE("a misfit is a note and an empty cell, and no failure", "[cli][misfit]") {
  const Program program;
  program.experiment(kMisfit);
  const auto valid = program.tempo("validate e.toml");
  REQUIRE(valid.code == 0);
  REQUIRE_THAT(valid.output, EndsWith("= 12 fits, 3 of them not applicable\n"));
  REQUIRE_THAT(valid.errors, Contains("note: e.toml:13:1: " + kNote));

  const auto done = program.tempo("run e.toml");
  INFO(done.errors);
  REQUIRE(done.code == 0);
  REQUIRE_THAT(done.output, Contains("\n" + kNote));
  REQUIRE_THAT(done.output, Contains("\n9 fitted, 0 failed"));
  REQUIRE(program.lines("runs/e/results.csv").size() == 10);  // no row is invented
  REQUIRE(program.text("runs/e/results.csv").find("own_parts,0,bayes") == std::string::npos);

  const auto shown = program.tempo("results runs/e --format csv");
  REQUIRE(shown.code == 0);
  REQUIRE_THAT(shown.errors, Contains("note: " + kNote));
  REQUIRE_THAT(program.tempo("plan e.toml").output, Contains("\n" + kNote));
}

TEST_CASE("a method that fits no hypothesis is a fault of the file", "[cli][misfit]") {
  const Program program;
  program.experiment(edited(kMisfit, "[[hypothesis]]\nplugin = \"h3\"\n", ""));
  const auto outcome = program.tempo("validate e.toml");
  REQUIRE(outcome.code == 2);
  REQUIRE_THAT(
      outcome.errors,
      Contains("e.toml:11:1: [[method]] 'bayes' can infer under none of the hypotheses; of "
               "'own_parts': it is not composed of parts"));
}

}  // namespace tempo::test
