// tempo plausibility: a cohort beside cohorts simulated under each hypothesis.

#include <nlohmann/json.hpp>

#include "clinic.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using nlohmann::json;

}  // namespace

TEST_CASE("tempo plausibility", "[cli][real]") {
  const Clinic program;
  SECTION("ranks hypotheses, the same for any number of jobs") {
    const auto one =
        program.tempo("plausibility clinic.toml --hypotheses h1,h3,h5 --simulations 40 --jobs 1");
    INFO(one.errors);
    REQUIRE(one.code == 0);
    REQUIRE_THAT(one.output,
                 StartsWith("hypothesis  distance  p ") &&
                     Contains("\nnote: the distributions were estimated from this very cohort"));
    REQUIRE(
        program.tempo("plausibility clinic.toml --hypotheses h1,h3,h5 --simulations 40 --jobs 2")
            .output == one.output);
    REQUIRE(program
                .tempo("plausibility clinic.toml --hypotheses h1 --simulations 40 --format json "
                       "--biomarkers five.toml --out p.json")
                .code == 0);
    const auto found = json::parse(program.text("p.json"));
    REQUIRE(found["parameters"] == "known");
    REQUIRE(found["hypotheses"][0]["simulations"] == 40);
    REQUIRE(found["hypotheses"][0]["distances"].size() == 5);
  }
  SECTION("faults come all at once") {
    const auto outcome = program.tempo(
        "plausibility clinic.toml --hypotheses h1,h1,,h99 --simulations 3 --healthy fre --format "
        "cvs --biomarkers "
        "adni-12 --out clinic.csv");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(
        outcome.errors,
        StartsWith("--healthy: must be 'free' or 'fixed', not 'fre'; did you mean 'free'?\n"
                   "--format: must be 'table', 'csv' or 'json', not 'cvs'; did you mean 'csv'?\n"
                   "--simulations: must be between 20 and 100000, not 3\n"
                   "--hypotheses: 'h1' is given twice\n"
                   "--hypotheses: an empty name in 'h1,h1,,h99'; expected such as h1,h2\n"
                   "--hypotheses: unknown hypothesis 'h99'; "));
    REQUIRE_THAT(
        outcome.errors,
        EndsWith(
            "--out: 'clinic.csv' is read, and would be overwritten\n"
            "clinic.toml: has biomarkers that the table of --biomarkers lacks: b0, b1, b2, b3, b4; "
            "without --biomarkers their distributions are estimated\n8 problems; nothing was "
            "run.\n"));
  }
}

}  // namespace tempo::test
