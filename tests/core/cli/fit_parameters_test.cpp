// tempo fit-parameters: the distributions of a cohort's biomarkers.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "clinic.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using nlohmann::json;

}  // namespace

TEST_CASE("tempo fit-parameters", "[cli][real]") {
  const Clinic program;
  SECTION("shows each biomarker and writes the table that experiments read") {
    const auto outcome = program.tempo(
        "fit-parameters clinic.toml --width 60 --ascii --out table.toml --densities d.csv");
    INFO(outcome.errors);
    REQUIRE(outcome.code == 0);
    REQUIRE_THAT(outcome.output, StartsWith("participants\n  60  in the table\n"));
    REQUIRE_THAT(outcome.output,
                 Contains("\nb4: before ") && Contains("\n      value  healthy (20) "));
    REQUIRE_THAT(outcome.output, Contains("\nbiomarker  before: mean"));
    REQUIRE_THAT(outcome.output,
                 EndsWith("table.toml: 5 biomarkers\nd.csv: densities of 5 biomarkers\n"));
    for (const char c : outcome.output) REQUIRE(static_cast<unsigned char>(c) < 128);
    const auto plots = outcome.output.substr(outcome.output.find("\n      value"));
    for (const auto& line : {line_with(plots, "value"), line_with(plots, "o")})
      REQUIRE(line.size() <= 60);
    REQUIRE(program.lines("d.csv").front() ==
            "biomarker,value,pre_event,post_event,diseased,healthy_observed,diseased_observed");
    REQUIRE(program.lines("d.csv").size() == 1 + 5 * 50);
    const auto ran = program.tempo("run e.toml --set cohorts.biomarkers=table.toml --out a");
    INFO(ran.errors);
    REQUIRE(ran.code == 0);
    // The same numbers give the same keys: the file's and those that a run estimates.
    REQUIRE_THAT(program.tempo("run e.toml --out a").output,
                 Contains("0 fitted, 0 failed, 8 taken"));
  }
  SECTION("JSON has what the table cannot say; a long CSV does as well") {
    REQUIRE(program.tempo("import clinic.toml --out long.csv").code == 0);
    REQUIRE(program.tempo("fit-parameters clinic.toml --no-plots --out a.json --densities d.json")
                .code == 0);
    REQUIRE(program.tempo("fit-parameters long.csv --no-plots --out b.json").code == 0);
    REQUIRE(program.text("a.json") == program.text("b.json"));
    const auto found = json::parse(program.text("a.json"));
    REQUIRE(found["healthy"] == "free");
    REQUIRE(found["biomarkers"].size() == 5);
    REQUIRE(found["biomarkers"][0]["name"] == "b0");
    REQUIRE(found["biomarkers"][0]["warning"].is_null());
    REQUIRE(found["biomarkers"][0]["distance"] > 2.0);
    const auto densities = json::parse(program.text("d.json"));
    REQUIRE(densities.size() == 5);
    const auto& values = densities[0]["value"];
    double area = 0.0;
    for (const double density : densities[0]["diseased_observed"])
      area += density * (values[1].get<double>() - values[0].get<double>());
    REQUIRE(area == Approx(1.0));
  }
  SECTION("a biomarker that does not separate is warned about") {
    auto text = clinic();
    auto line = text.find('\n');
    text.insert(line, ",flat");
    line -= 3;
    auto noise = stream(12);
    for (int j = 0; j < 60; ++j)
      text.insert(line = text.find('\n', line + 9), fmt::format(",{:.3f}", noise.normal()));
    program.write("clinic.csv", text);
    const auto outcome = program.tempo("fit-parameters clinic.toml");
    REQUIRE(outcome.code == 0);
    REQUIRE_THAT(outcome.output, Contains("warning: biomarker 'flat' does not separate: "));
    REQUIRE_THAT(outcome.output, !Contains("biomarker 'b0' does not separate"));
  }
  SECTION("faults come all at once, and nothing is written") {
    program.write("clinic.toml", edited(kClinicTable, "[\"CN\"]", "[\"C\"]"));
    const auto outcome = program.tempo(
        "fit-parameters clinic.toml --healthy fix --width 20 --out clinic.csv --densities d.txt");
    REQUIRE(outcome.code == 2);
    REQUIRE(outcome.errors ==
            "--healthy: must be 'free' or 'fixed', not 'fix'; did you mean 'fixed'?\n"
            "--width: must be between 50 and 1000, not 20\n"
            "clinic.toml:4:13: diagnosis 'CN' (20 participants) is in none of 'healthy', "
            "'diseased', 'drop' and 'staged'; did you mean 'C'?\n"
            "--out: 'clinic.csv' must end in '.toml' or '.json'\n"
            "--out: 'clinic.csv' is read, and would be overwritten\n"
            "--densities: 'd.txt' must end in '.csv' or '.json'\n6 problems; nothing was run.\n");
    REQUIRE(program.text("clinic.csv") == clinic());
  }
  SECTION("so do those of values") {
    program.write("clinic.csv", "ID,DX,a,b\n1,CN,1,1\n2,CN,1,2\n3,AD,3,4\n4,AD,5,5\n5,AD,2,8\n");
    REQUIRE(
        program.tempo("fit-parameters clinic.toml --out t.toml").errors ==
        "clinic.toml: the distributions of 'a' cannot be estimated: the healthy all have the same "
        "value\n1 problem; nothing was run.\n");
    REQUIRE(!program.has("t.toml"));
  }
}

}  // namespace tempo::test
