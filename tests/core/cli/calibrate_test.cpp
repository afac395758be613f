// tempo calibrate: truths in the posteriors of a hypothesis' own cohorts.

#include <nlohmann/json.hpp>

#include "program.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

constexpr const char* kQuick =
    "calibrate h6 --cohorts 20 --participants 30 --set iterations=60 --set burn_in=10 ";

}  // namespace

TEST_CASE("tempo calibrate", "[cli][calibrate]") {
  const Program program;
  SECTION("gives the same for any number of jobs, and a verdict") {
    const auto one = program.tempo(std::string(kQuick) + "--jobs 1");
    INFO(one.errors);
    REQUIRE(one.code == 0);
    REQUIRE_THAT(one.output,
                 StartsWith("where truths lie in the posteriors of 'bayes' under 'h6', 20 cohorts "
                            "of 30 participants") &&
                     Contains("\nThe law of 'h6' and what it draws agree, as far as 20 cohorts"));
    REQUIRE(program.tempo(std::string(kQuick) + "--jobs 2").output == one.output);
    REQUIRE(program.tempo(std::string(kQuick) + "--format json --out c.json").code == 0);
    const auto found = nlohmann::json::parse(program.text("c.json")).at("rows");
    REQUIRE(found.size() == 2);
    REQUIRE(found[0]["posterior"] == "ranks");
    REQUIRE(found[0]["truths"] == 20 * 12);
    REQUIRE(found[1]["posterior"] == "stages");
    REQUIRE(found[1]["truths"] == 20 * 24);  // six of 30 are healthy
  }
  SECTION("faults come all at once") {
    const auto outcome = program.tempo(
        "calibrate h66 --cohorts 3 --participants 1 --healthy-ratio 1 --format cvs --method debm "
        "--biomarkers adni-13");
    REQUIRE(outcome.code == 2);
    REQUIRE(outcome.output.empty());
    for (const auto* fault :
         {"--format: must be 'table', 'csv' or 'json', not 'cvs'; did you mean 'csv'?\n",
          "--cohorts: must be between 20 and 1000000, not 3\n",
          "--participants: must be between 2 and 1000000, not 1\n",
          "HYPOTHESIS: unknown hypothesis 'h66'; ", "--method: 'debm' infers under no hypothesis",
          "--healthy-ratio: expected a number in [0, 1), found 1\n",
          "--biomarkers: ", "7 problems; nothing was run.\n"})
      REQUIRE_THAT(outcome.errors, Contains(fault));
  }
}

}  // namespace tempo::test
