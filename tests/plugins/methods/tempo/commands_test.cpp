// Plugin tempo as a user of the program meets it: devices, warnings, corrupt models.

#include <algorithm>

#include "../../../core/cli/program.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

const std::string kTrain =
    "train --method tempo --hypothesis h3 --biomarkers five.toml --participants 60 --out model --set samples=8 "
    "--set batch=8 --set epochs=1 --set validation_cohorts=4 ";
const std::string kNoSuchDevice = "there is no device 'cuda:99': LibTorch finds ";

/// One fault, of the input; nothing was written.
void expect_refused(const Program& program, const std::string& arguments,
                    const std::string& place) {
  CAPTURE(arguments);
  const auto outcome = program.tempo(arguments);
  REQUIRE(outcome.code == 2);
  REQUIRE(outcome.output.empty());
  REQUIRE_THAT(outcome.errors, StartsWith(place) && Contains(kNoSuchDevice));
  REQUIRE(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 2);
  REQUIRE_THAT(outcome.errors, Contains("\n1 problem; nothing was run.\n"));
}

}  // namespace

TEST_CASE("a device that is not there is a fault of the input", "[tempo][cli]") {
  const Program program;
  expect_refused(program, kTrain + "--device cuda:99", "--device: ");
  REQUIRE(!program.has("model.history.csv"));
  REQUIRE(!program.has("model.checkpoints"));
  program.experiment(edited("plugin = \"probe\"", "plugin = \"tempo\"\ndevice = \"cuda:99\""));
  expect_refused(program, "validate e.toml", "e.toml:17:");
  expect_refused(program, "run e.toml", "e.toml:17:");
  REQUIRE(!program.has("runs"));
}

TEST_CASE("a training that diverges leaves no model and fails", "[tempo][cli]") {
  const Program program;
  const auto outcome = program.tempo(kTrain + "--set learning_rate=1e30 --device cpu");
  REQUIRE(outcome.code == 1);
  REQUIRE_THAT(outcome.errors, Contains("learning_rate = 1e+30 is the likely cause"));
  REQUIRE(!program.has("model"));
}

TEST_CASE("a model that has learnt nothing, and a cohort unlike its own, are warned of",
          "[tempo][cli]") {
  const Program program;
  const auto training = program.tempo(kTrain + "--device cpu");
  REQUIRE(training.code == 0);
  REQUIRE_THAT(training.errors, StartsWith("warning: no better than chance: tau distance "));
  REQUIRE_THAT(training.output, Contains("\ntrained with warnings tempo on h3: 1 epoch in "));

  program.experiment(kExperiment);
  REQUIRE(program.tempo("simulate e.toml --set cohorts.test=1 --out cohorts").code == 0);
  REQUIRE(program
              .shell("cp cohorts/exp3/*_m0.csv good.csv && awk -F, -v OFS=, "
                     "'NR > 1 && $2 == \"b4\" { $3 *= 1000 } 1' good.csv > odd.csv")
              .code == 0);
  const auto found = program.tempo("infer model good.csv odd.csv --device cpu");
  REQUIRE(found.code == 0);
  REQUIRE_THAT(found.errors,
               StartsWith("warning: model: its training warned: no better than chance: tau ") &&
                   Contains("\nwarning: odd.csv: unlike the training cohorts, what is found "
                            "is doubtful: b4 ("));
  REQUIRE(std::count(found.errors.begin(), found.errors.end(), '\n') == 2);
  expect_refused(program, "infer model good.csv --device cuda:99 --out found.csv", "--device: ");
  REQUIRE(!program.has("found.csv"));

  REQUIRE(program.shell("awk -F, -v OFS=, 'NR > 1 { $3 = \"\" } 1' good.csv > empty.csv").code ==
          0);
  const auto nothing = program.tempo("infer model empty.csv --device cpu");
  REQUIRE(nothing.code == 2);
  REQUIRE_THAT(nothing.errors, Contains("nobody has a value of any of the 5 biomarkers"));

  auto bytes = program.text("model");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  program.write("model", bytes);
  const auto corrupt = program.tempo("infer model good.csv --device cpu");
  REQUIRE(corrupt.code == 2);
  REQUIRE_THAT(corrupt.errors,
               StartsWith("model: plugin tempo, while loading model: is corrupt: the checksum"));
}

TEST_CASE("what tempo stage says of a patient does not depend on who else is asked about",
          "[tempo][cli]") {
  const Program program;
  REQUIRE(program.tempo(kTrain + "--device cpu").code == 0);
  program.experiment(kExperiment);
  REQUIRE(program.tempo("simulate e.toml --set cohorts.test=1 --out cohorts").code == 0);
  REQUIRE(program.shell("mv cohorts/exp3/*_m0.csv reference.csv").code == 0);
  const std::string head = "participant,biomarker,measurement,diseased\n";
  const auto patient = [](const std::string& id, const std::string& value) {
    std::string rows;
    for (const auto* name : {"b0", "b1", "b2", "b3", "b4"})
      rows += id + "," + name + "," + value + ",True\n";
    return rows;
  };
  program.write("one.csv", head + patient("new", "2.5"));
  program.write("three.csv",
                head + patient("other", "-9") + patient("new", "2.5") + patient("third", "9"));
  const auto stage_of_new = [&](const std::string& file) {
    const auto outcome =
        program.tempo("stage model " + file + " --reference reference.csv --device cpu");
    INFO(outcome.errors);
    REQUIRE(outcome.code == 0);
    const auto line = line_with(outcome.output, "new,");
    return std::pair(std::stod(line.substr(4)), std::stod(line.substr(line.find(',', 4) + 1)));
  };
  const auto alone = stage_of_new("one.csv"), among_others = stage_of_new("three.csv");
  REQUIRE(alone.first == among_others.first);
  REQUIRE(alone.second == Approx(among_others.second).epsilon(1e-4));  // sums in single precision
}

}  // namespace tempo::test
