// No false alarm: what comes with tempo passes all checks, or says why not in its expected.toml.

#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

/// The list of a plugin's expected failures as an option; empty if it has none.
std::string expected_of(const std::string& folder) {
  const auto file = source("plugins/" + folder + "/expected.toml");
  return std::filesystem::exists(file) ? " --expected " + file.string() : "";
}

void require_passed(const std::string& folder, const std::string& options = {}) {
  CAPTURE(folder);
  const TemporaryFolder here;
  const auto id = std::filesystem::path(folder).filename().string();
  const auto outcome = run(TEMPO_TEST_PROGRAM " plugins check " + id + expected_of(folder) +
                               options + " --plugin-path " TEMPO_TEST_PLUGINS,
                           here.path());
  INFO(outcome.output << outcome.errors);
  REQUIRE(outcome.code == 0);
}

/// Checks a program of twenty lines, with what is in order for it.
Outcome check_program(const TemporaryFolder& here, const std::string& options) {
  here.write("expected.toml",
             "schema = 1\n[settings]\nlabels = \"fit\"\ncommand = [\"python3\", \"" +
                 source("experiments/external/by_means.py").string() + "\"]\n" + R"(
[[expected]]
check = "M12"
reason = "it divides by the sd of the healthy"
[[expected]]
check = "M14"
reason = "a mean follows a far value"
[[expected]]
check = "M35"
reason = "it leaves ties as they stand"
)");
  return run(TEMPO_TEST_PROGRAM " plugins check external --expected expected.toml" + options +
                 " --plugin-path " TEMPO_TEST_PLUGINS,
             here.path());
}

}  // namespace

TEST_CASE("shipped hypotheses and their parts pass all checks", "[conformance]") {
  require_passed(GENERATE(as<std::string>(), "hypotheses/composed", "hypotheses/h1",
                          "hypotheses/h2", "hypotheses/h3", "hypotheses/h4", "hypotheses/h5",
                          "hypotheses/h6", "hypotheses/h7", "hypotheses/h8", "hypotheses/h9",
                          "hypotheses/mixture", "stage_priors/beta",
                          "stage_priors/dirichlet_multinomial", "stage_priors/uniform",
                          "measurement_models/ebm_non_normal", "measurement_models/ebm_normal",
                          "measurement_models/sigmoid"));
}

TEST_CASE("shipped methods that are quick pass all checks", "[conformance]") {
  require_passed(GENERATE(as<std::string>(), "methods/chance", "methods/debm", "methods/debm_gmm",
                          "methods/generalist", "methods/ucl_gmm", "methods/ucl_kde"));
}

TEST_CASE("a program is checked as the method that its settings say it is", "[conformance]") {
  const TemporaryFolder here;
  const auto outcome = check_program(here, " --only M06 --only M08 --only M11 --only M26");
  INFO(outcome.output);
  REQUIRE(outcome.code == 0);
  // It uses labels to fit, and takes no missing values; the plugin can do otherwise.
  REQUIRE_THAT(outcome.output, Contains("4 checks: 2 passed, 2 not applicable"));
}

TEST_CASE("a program without its command is no failure of checks, but a call that lacks it",
          "[conformance]") {
  const TemporaryFolder here;
  const auto outcome = run(
      TEMPO_TEST_PROGRAM " plugins check external --plugin-path " TEMPO_TEST_PLUGINS, here.path());
  REQUIRE(outcome.code == 2);
  REQUIRE(outcome.errors ==
          "tempo plugins: 'external' needs the setting 'command': give it under [settings] in a "
          "file for --expected\n1 problem; nothing was run.\n");
}

TEST_CASE("files that settings name are looked for beside the file of the settings",
          "[conformance]") {
  const TemporaryFolder here;
  std::filesystem::create_directories(here.path() / "lab");
  std::filesystem::copy_file(source("experiments/external/by_means.py"),
                             here.path() / "lab" / "by_means.py");
  here.write("lab/settings.toml",
             "schema = 1\n[settings]\nlabels = \"fit\"\ncommand = [\"python3\", "
             "\"by_means.py\"]\n");
  const auto outcome = run(TEMPO_TEST_PROGRAM
                           " plugins check external --expected lab/settings.toml --only M08"
                           " --plugin-path " TEMPO_TEST_PLUGINS,
                           here.path());
  INFO(outcome.output << outcome.errors);
  REQUIRE(outcome.code == 0);
}

TEST_CASE("a program passes all checks", "[.long]") {
  const TemporaryFolder here;
  const auto outcome = check_program(here, "");
  INFO(outcome.output);
  REQUIRE(outcome.code == 0);
}

TEST_CASE("shipped methods that take longer pass all checks", "[.long]") {
  require_passed(GENERATE(as<std::string>(), "methods/bayes", "methods/bebms", "methods/sa_ebm",
                          "methods/sustain"));
}

TEST_CASE("the shipped method that is trained passes all checks", "[.long]") {
  if (!std::filesystem::exists(TEMPO_TEST_PLUGINS "/tempo.so")) {
    SUCCEED("skipped: built without LibTorch");
    return;
  }
  require_passed("methods/tempo", " --timeout 300");
}

TEST_CASE("posteriors of shipped methods are as sure as they should be", "[.long]") {
  require_passed(GENERATE(as<std::string>(), "methods/bayes", "methods/debm", "methods/debm_gmm",
                          "methods/generalist", "methods/ucl_gmm", "methods/ucl_kde"),
                 " --thorough --only M20 --only M31");
}

}  // namespace tempo::test
