// `name`: what people read in place of an id, and what it leaves alone.

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

const std::string kNamedEntries =
    edited(edited("id = \"late\"", "id = \"late\"\nname = \"Late stages\""), "plugin = \"probe\"",
           "plugin = \"probe\"\nname = \"The probe (2024)\"");

std::string name_complaints(const std::string& experiment) {
  const Program program;
  program.experiment(experiment);
  const auto outcome = program.tempo("validate e.toml");
  REQUIRE(outcome.code == 2);
  return outcome.errors;
}

}  // namespace

TEST_CASE("names stand in tables; ids in files, options and content keys", "[cli][names]") {
  const Program program;
  program.experiment(kExperiment);
  REQUIRE(program.tempo("run e.toml --out run").code == 0);
  const auto before = program.text("run/results.csv");
  program.experiment(kNamedEntries);
  const auto run = program.tempo("run e.toml --out run");
  REQUIRE_THAT(run.output, Contains("0 fitted, 0 failed, 6 taken from an earlier run") &&
                               Contains("The probe (2024)  none") && Contains("Late stages") &&
                               !Contains("\nprobe "));
  REQUIRE(program.text("run/results.csv") == before);
  REQUIRE_THAT(program.text("run/experiment.lock.toml"), Contains("name = \"The probe (2024)\""));
  REQUIRE_THAT(program.tempo("run run/experiment.lock.toml --out run").output,
               Contains("0 fitted") && Contains("The probe (2024)"));

  for (const auto* format : {"table", "markdown", "latex"})
    REQUIRE_THAT(program.tempo(std::string("results run --format ") + format).output,
                 Contains("The probe (2024)") && Contains("Late stages"));
  REQUIRE_THAT(program.tempo("results run --format csv").output,
               Contains("late,probe") && !Contains("Late stages"));
  const auto json = nlohmann::json::parse(program.tempo("results run --format json").output);
  REQUIRE(json.at("rows").at(1).at("hypothesis") == "late");
  // An option takes the id.
  program.write("mine.csv", "hypothesis,cohort,method,tau_distance\nlate,0,mine,0.25\n");
  REQUIRE_THAT(program.tempo("results run --with mine.csv --against probe").output,
               Contains("minus that of The probe (2024)") && Contains("mine (outside)"));
  // A method from outside is not taken for one of the run.
  program.write("same.csv",
                "hypothesis,cohort,method,tau_distance\nlate,0,The probe (2024),0.25\n");
  const auto same = program.tempo("results run --with same.csv");
  REQUIRE(same.code == 2);
  REQUIRE_THAT(same.errors,
               Contains("'The probe (2024)' is what tables call the run's own method 'probe'"));
}

TEST_CASE("a name that could be mistaken is a fault", "[cli][names]") {
  REQUIRE_THAT(
      name_complaints(kNamedEntries + "[[method]]\nplugin = \"labelled_probe\"\nname = \"The probe "
                                      "(2024)\"\n"),
      Contains("e.toml:19:1: method 'labelled_probe' is shown as 'The probe (2024)', as is "
               "'probe' at e.toml:16:1; give one of them another name = \"...\"") &&
          Contains("1 problem"));
  REQUIRE_THAT(name_complaints(edited(kNamedEntries, "Late stages", "h3")),
               Contains("hypothesis 'late' is shown as 'h3', as is 'h3' at e.toml:7:1"));
  REQUIRE_THAT(
      name_complaints(edited(kNamedEntries, "Late stages", "all")),
      Contains("a hypothesis cannot be shown as 'all', which tables say of all hypotheses"));
  REQUIRE_THAT(name_complaints(edited(kNamedEntries, "\"Late stages\"", "3")),
               Contains("'name' must be a string, not an integer"));
  REQUIRE_THAT(name_complaints(edited(kNamedEntries, "Late stages", "Late\\nstages")),
               Contains("'name' must be one line of text without control characters"));
  REQUIRE_THAT(name_complaints(kNamedEntries + "[sweep]\n\"method.probe.name\" = [\"a\", \"b\"]\n"),
               Contains("[sweep] 'method.probe.name' says what things are called; it is no setting "
                        "to vary"));
}

}  // namespace tempo::test
