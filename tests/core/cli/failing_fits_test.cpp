// A fit that fails is a row with its error; the others go on.

#include <algorithm>
#include <regex>

#include "program.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

/// Some fits of the probe fail: those that get `b0` in the first column, one in five.
const std::string kSomeFail =
    edited(edited("plugin = \"probe\"",
                  "plugin = \"probe\"\nfails_on = \"b0\"\nlog = \"log\"\nwarns = true"),
           "test = 3", "test = 10");

std::size_t count(const std::vector<std::string>& lines, const std::string& passage) {
  return static_cast<std::size_t>(std::count_if(
      lines.begin(), lines.end(),
      [&](const std::string& line) { return line.find(passage) != std::string::npos; }));
}

/// Runs with a method or a hypothesis of tests/registry/bad_plugins.
Outcome run_bad(const Program& program, const std::string& text) {
  program.experiment(text);
  return program.tempo("run e.toml --plugin-path '" TEMPO_BAD_PLUGINS "'");
}

}  // namespace

TEST_CASE("fits that fail are rows, and tried again by the next run", "[cli][run][failures]") {
  const Program program;
  program.experiment(kSomeFail);
  const auto first = program.tempo("run e.toml");
  const auto to_fail = count(program.lines("log"), "b0 b") - count(program.lines("log"), " b0 b");
  REQUIRE(to_fail > 0);
  REQUIRE(to_fail < 20);
  const auto failures = std::to_string(to_fail);

  REQUIRE(first.code == 1);
  REQUIRE(first.errors ==
          failures + (to_fail == 1 ? " fit" : " fits") + " failed; the same command tries again\n");
  const auto rows = program.lines("runs/e/results.csv");
  REQUIRE(rows.size() == 21);
  REQUIRE(count(rows, ",failed,,,,") == to_fail);
  REQUIRE(count(rows, ",plugin probe, while fitting") == 0);  // quoted: it holds a comma
  REQUIRE(count(rows, ",\"plugin probe, while fitting: cannot start with b0\"") == to_fail);
  REQUIRE(count(rows, ",ok,0.") == 20 - to_fail);
  REQUIRE_THAT(first.output, Contains("\nfailed fits\nmethod  fits  first"));
  REQUIRE_THAT(line_with(first.output, "cannot start"), StartsWith("probe   " + failures + " "));
  REQUIRE(count(program.lines("runs/e/run.log"), "failed: ") == to_fail);

  SECTION("warnings of the others are no more than three lines, and each is in a table") {
    const auto begin = first.output.find("different warnings, such as this (");
    REQUIRE(begin != std::string::npos);
    const auto rest = first.output.substr(begin, first.output.find("\n\n", begin) - begin);
    REQUIRE(std::count(rest.begin(), rest.end(), '\n') == 2);
    REQUIRE_THAT(rest, EndsWith("\nall warnings: tempo results runs/e --table warnings"));
    const auto all = program.tempo("results runs/e --table warnings");
    REQUIRE(all.code == 0);
    REQUIRE_THAT(all.output, StartsWith("method  fits  first"));
    REQUIRE_THAT(line_with(all.output, "first column is b1"), StartsWith("probe   "));
    REQUIRE(all.output.find("first column is b0") == std::string::npos);
    REQUIRE_THAT(
        program.tempo("results runs/e --table failures --format csv").output,
        StartsWith("method,fits,replicates,first,status,error\nprobe," + failures + ",0,"));
  }
  SECTION("only they are tried again") {
    const auto again = program.tempo("run e.toml");
    REQUIRE(again.code == 1);
    REQUIRE(program.lines("log").size() == 20 + to_fail);
    REQUIRE_THAT(again.output,
                 Contains("0 fitted, " + failures + " failed, " + std::to_string(20 - to_fail) +
                          " taken from an earlier run"));
    REQUIRE_THAT(program.tempo("plan e.toml").output, Contains(" failed before\n"));
  }
}

TEST_CASE("--fail-fast stops at the first failure", "[cli][run][failures]") {
  const Program program;
  program.experiment(kSomeFail);
  const auto outcome = program.tempo("run e.toml --fail-fast --jobs 1");
  REQUIRE(outcome.code == 1);
  const auto log = program.lines("log");
  REQUIRE_THAT(log.back(), StartsWith("b0 "));
  const auto left = 20 - log.size();
  REQUIRE(left > 0);
  REQUIRE(outcome.errors ==
          "1 fit failed, " + std::to_string(left) + " to go; the same command tries again\n");
  REQUIRE(program.lines("runs/e/results.csv").size() == 1 + log.size());
}

TEST_CASE("results that break the rules are failures of the method", "[cli][run][failures]") {
  const auto [fault, error] = GENERATE(table<std::string, std::string>({
      {"fit", "did not converge"},
      {"fit_int", "threw something that is no exception"},
      {"nan_score", "event scores: 'b"},
      {"few_scores", "event scores: expected [B=5], got [4]"},
      {"few_stages", "stages: expected [J=60], got [59]"},
      {"late_stage", "stages: participant '1' is at 6.000000, expected a value in [0, B=5]"},
      {"half_posterior", "stage posterior: row 0 sums to 0.600000, not to 1"},
  }));
  INFO(fault);
  const Program program;
  const auto outcome =
      run_bad(program, std::string(kExperiment) +
                           "[[method]]\nplugin = \"bad_method\"\nfault = \"" + fault + "\"\n");
  REQUIRE(outcome.code == 1);
  // A table breaks long texts to the width of the terminal.
  const auto in_one_line = std::regex_replace(outcome.output, std::regex("\\s+"), " ");
  REQUIRE_THAT(in_one_line, Contains("plugin bad_method, while fitting: " + error));
  REQUIRE_THAT(outcome.output, Contains("6 fitted, 6 failed"));
}

TEST_CASE("a hypothesis that fails takes its own cohorts with it and no others",
          "[cli][run][failures]") {
  const Program program;
  const auto outcome =
      run_bad(program, edited("[[hypothesis]]\nplugin = \"h3\"",
                              "[[hypothesis]]\nplugin = \"bad_hypothesis\"\nfault = \"simulate\""));
  REQUIRE(outcome.code == 1);
  REQUIRE_THAT(outcome.output,
               Contains("plugin bad_hypothesis, while simulating a cohort: did not converge"));
  const auto rows = program.lines("runs/e/results.csv");
  REQUIRE(count(rows, "bad_hypothesis,") == 3);
  REQUIRE(count(rows, ",failed,") == 3);
  REQUIRE(count(rows, "late,") == 3);
  REQUIRE(count(rows, ",ok,") == 3);
}

TEST_CASE("faults in the files of cohorts are told before anything runs", "[cli][run][failures]") {
  const Program program;
  program.experiment(kExperiment);
  REQUIRE(program.tempo("simulate e.toml --out cohorts").code == 0);
  const std::string csv = "cohorts/late/j60_r0.21_late_m1.csv";
  program.write(csv, "participant,biomarker,measurement,diseased\n0,b0,x,True\n0,b0,y,True\n");
  program.write("f.toml",
                "schema = 1\nseed = 7\n[cohorts]\nsource = \"folder\"\npath = "
                "\"cohorts\"\n[[method]]\nplugin = \"probe\"\n");
  for (const std::string command : {"run", "validate"}) {
    const auto outcome = program.tempo(command + " f.toml");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(outcome.errors, StartsWith(csv + ":2:6: "));
    REQUIRE_THAT(outcome.errors, Contains("\n" + csv + ":3:6: "));
    REQUIRE(!program.has("runs/f"));
  }

  SECTION("a truth that is not there, too") {
    std::filesystem::remove(program.path() / "cohorts/late/true_order_and_stages.json");
    const auto incomplete = program.tempo("run f.toml --out new");
    REQUIRE(incomplete.code == 2);
    REQUIRE(incomplete.errors ==
            "cohorts/late/true_order_and_stages.json: no such file\n1 problem; "
            "nothing was run.\n");
    REQUIRE(!program.has("new"));
  }
}

}  // namespace tempo::test
