// A program takes part in everything that other methods do.

#include <set>
#include <string>

#include "program.hpp"
#include "programs.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

/// Five biomarkers by the difference of the groups' means, and a line per fit in `log`.
constexpr const char* kByMeans = R"(
echo fit >> "$LOG"
awk -F, '
  NR == 1 { B = NF - 2; for (b = 3; b <= NF; ++b) name[b] = $b; next }
  { ids[++J] = $1; n[$2]++; for (b = 3; b <= NF; ++b) { x[J, b] = $b; sum[$2, b] += $b } }
  END {
    for (b = 3; b < B + 3; ++b) {
      shift[b] = sum[1, b] / n[1] - sum[0, b] / n[0]
      if (shift[b] < 0) shift[b] = -shift[b]
    }
    printf "{\"ranks\": {"
    for (b = 3; b < B + 3; ++b) {
      rank = 1
      for (c = 3; c < B + 3; ++c) if (shift[c] > shift[b] || (shift[c] == shift[b] && c < b)) ++rank
      printf("%s\"%s\": %d", (b > 3 ? ", " : ""), name[b], rank)
    }
    printf "}, \"stages\": {"
    for (j = 1; j <= J; ++j) {
      stage = 0
      for (b = 3; b < B + 3; ++b) if (x[j, b] > 1.5 || x[j, b] < -1.5) ++stage
      printf("%s\"%s\": %d", (j > 1 ? ", " : ""), ids[j], stage)
    }
    print "}}"
  }' cohort.csv > answer.json
)";

/// The small experiment with that program, at `folder/lab.sh`.
std::string experiment_of(const std::string& settings = "") {
  return edited("plugin = \"probe\"",
                "plugin = \"external\"\nid = \"lab\"\ncommand = [\"sh\", \"lab.sh\"]\n"
                "labels = \"fit\"\nenvironment = [\"PATH\", \"LOG\"]\n" +
                    settings);
}

struct Lab : Program {
  explicit Lab(const std::string& text) {
    write("lab.sh", kByMeans);
    experiment(text);
  }
  Outcome tempo(const std::string& arguments) const {
    return shell("export LOG=\"$PWD/log\"; tempo " + arguments);
  }
  std::size_t fits() const { return has("log") ? lines("log").size() : 0; }
};

}  // namespace

TEST_CASE("fits of a program are the same for any number of jobs, and kept", "[external][run]") {
  const Lab lab(experiment_of());
  REQUIRE(lab.tempo("run e.toml --jobs 1 --out one").code == 0);
  REQUIRE(lab.fits() == 6);
  REQUIRE(lab.tempo("run e.toml --jobs 2 --out two").code == 0);
  REQUIRE(lab.results("one/results.csv") == lab.results("two/results.csv"));
  REQUIRE(lab.lines("one/results.csv").size() == 7);
  REQUIRE(lab.fits() == 12);

  SECTION("the same again runs nothing") {
    REQUIRE_THAT(lab.tempo("run e.toml --out one").output, Contains("6 taken from an earlier run"));
    REQUIRE(lab.fits() == 12);
  }
  SECTION("another folder with the same files takes the results as they are") {
    lab.shell("mkdir other; cp e.toml lab.sh five.toml other; cp -r one other/one");
    REQUIRE_THAT(lab.tempo("run other/e.toml --out other/one").output,
                 Contains("6 taken from an earlier run"));
  }
  SECTION("a program that changed fits again") {
    lab.write("lab.sh", std::string(kByMeans) + "# a comment\n");
    REQUIRE(lab.tempo("run e.toml --out one").code == 0);
    REQUIRE(lab.fits() == 18);
  }
  SECTION("limits that change no result fit nothing again") {
    lab.experiment(experiment_of("memory_limit = 500\nkeep_failed = true\n"));
    REQUIRE(lab.tempo("run e.toml --out one").code == 0);
    REQUIRE(lab.fits() == 12);
  }
  SECTION("a file that is named, and a version, are part of the key") {
    lab.write("model.txt", "1");
    lab.experiment(experiment_of("files = [\"model.txt\"]\nversion = \"1\"\n"));
    REQUIRE(lab.tempo("run e.toml --out one").code == 0);
    REQUIRE(lab.fits() == 18);
    lab.write("model.txt", "2");
    REQUIRE(lab.tempo("run e.toml --out one").code == 0);
    REQUIRE(lab.fits() == 24);
    lab.experiment(experiment_of("files = [\"model.txt\"]\nversion = \"2\"\n"));
    REQUIRE(lab.tempo("run e.toml --out one").code == 0);
    REQUIRE(lab.fits() == 30);
  }
  SECTION("the lock file runs from where it lies") {
    const auto again = lab.shell(
        "export LOG=\"$PWD/log\"; cd one && tempo run experiment.lock.toml --out ../three");
    CAPTURE(again.errors);
    REQUIRE(again.code == 0);
    REQUIRE(lab.results("three/results.csv") == lab.results("one/results.csv"));
  }
  SECTION("shards join to the whole") {
    for (const auto* part : {"1", "2"})
      REQUIRE(lab.tempo(std::string("run e.toml --shard ") + part + "/2 --out part" + part).code ==
              0);
    REQUIRE(lab.tempo("merge part1 part2 --out whole").code == 0);
    REQUIRE(lab.results("whole/results.csv") == lab.results("one/results.csv"));
  }
}

TEST_CASE("files of a program are found from lock files, whatever else an experiment names",
          "[external][run]") {
  const Lab lab(edited(experiment_of(), "five.toml", "adni-12"));
  REQUIRE(lab.tempo("run e.toml --out one").code == 0);
  REQUIRE(lab.lines("one/results.csv").size() == 7);
  SECTION("of a run from its lock file") {
    const auto again = lab.shell(
        "export LOG=\"$PWD/log\"; cd one && tempo run experiment.lock.toml --out ../again");
    CAPTURE(again.errors);
    REQUIRE(again.code == 0);
    REQUIRE(lab.results("again/results.csv") == lab.results("one/results.csv"));
  }
  SECTION("in processes of their own, and in tasks") {
    const auto isolated = lab.tempo("run e.toml --isolate all --out isolated");
    CAPTURE(isolated.errors);
    REQUIRE(isolated.code == 0);
    REQUIRE(lab.results("isolated/results.csv") == lab.results("one/results.csv"));
    const auto tasks = lab.tempo("submit e.toml --launcher local --tasks 2 --out tasks");
    CAPTURE(tasks.errors);
    REQUIRE(tasks.code == 0);
    REQUIRE(lab.results("tasks/results.csv") == lab.results("one/results.csv"));
  }
}

TEST_CASE("settings of a program can be swept", "[external][sweep]") {
  const Lab lab(experiment_of("[method.settings]\nbase = 1\n") +
                "[sweep]\n\"method.lab.settings.base\" = [1, 2]\n");
  const auto outcome = lab.tempo("run e.toml --out one");
  CAPTURE(outcome.errors);
  REQUIRE(outcome.code == 0);
  REQUIRE(lab.lines("one/results.csv").size() == 13);
}

TEST_CASE("a program fits a real cohort and its replicates", "[external][real]") {
  const Lab lab(experiment_of());
  REQUIRE(lab.tempo("simulate e.toml --out cohorts").code == 0);
  const auto files = lab.shell("ls cohorts/exp3/*_m0.csv").output;
  lab.write("clinic.toml", "file = \"" + files.substr(0, files.find('\n')) + R"("
layout = "long"
participant = "participant"
biomarker = "biomarker"
value = "measurement"
diagnosis = { column = "diseased", healthy = ["False"], diseased = ["True"] }
)");
  lab.experiment(R"(schema = 1
seed = 7
[cohorts]
source = "table"
path = "clinic.toml"
[analysis]
bootstrap = 4
[[method]]
plugin = "external"
id = "lab"
command = ["sh", "lab.sh"]
labels = "fit"
environment = ["PATH", "LOG"]
)");
  const auto outcome = lab.tempo("run e.toml --out one");
  CAPTURE(outcome.errors, outcome.output);
  REQUIRE(outcome.code == 0);
  REQUIRE(lab.fits() == 5);
  REQUIRE_THAT(lab.tempo("results one --table orders").output, Contains("lab"));
}

TEST_CASE("kill -9 of tempo leaves no program", "[external][run]") {
  const Lab lab(experiment_of());
  lab.write("lab.sh", "echo $$ > \"${LOG%/*}/id\"; trap '' TERM; setsid sleep 6114 & sleep 6114");
  const auto outcome = lab.shell("export LOG=\"$PWD/log\"; '" TEMPO_TEST_PROGRAM
                                 "' run e.toml --jobs 1 & pid=$!; "
                                 "for i in $(seq 200); do [ -s id ] && break; sleep 0.05; done; "
                                 "sleep 0.2; kill -9 $pid; wait; sleep 0.5; "
                                 "! kill -0 $(cat id) && ! pgrep -f 'sleep 611[4]'");
  CAPTURE(outcome.errors);
  REQUIRE(lab.has("id"));
  REQUIRE(outcome.code == 0);
}

TEST_CASE("Ctrl-C ends a fit within a second, and the run goes on later", "[external][run]") {
  const Lab lab(experiment_of());
  lab.write("lab.sh", std::string("if [ -e slow ] || [ ! -e \"${LOG%/*}/go\" ]; then echo at > "
                                  "\"${LOG%/*}/at\"; trap '' TERM; sleep 6115; sleep 6115; fi") +
                          kByMeans);
  const auto outcome = lab.shell(
      "export LOG=\"$PWD/log\"; '" TEMPO_TEST_PROGRAM
      "' run e.toml --jobs 1 --out one 2> err & pid=$!; "
      "for i in $(seq 200); do [ -s at ] && break; sleep 0.05; done; "
      "kill -INT $pid; for i in $(seq 30); do kill -0 $pid 2> /dev/null || break; sleep 0.1; done; "
      "kill -0 $pid 2> /dev/null && { kill -9 $pid; exit 9; }; wait $pid");
  REQUIRE(outcome.code == 130);
  REQUIRE_THAT(lab.text("err"), Contains("interrupted: 6 fits to go; the same command continues"));
  REQUIRE(lab.lines("one/results.csv").size() == 1);  // nothing failed
  REQUIRE(lab.shell("pgrep -f 'sleep 611[5]'").code != 0);
  REQUIRE(lab.shell("touch go").code == 0);
  REQUIRE(lab.tempo("run e.toml --out one").code == 0);
  REQUIRE(lab.lines("one/results.csv").size() == 7);
}

}  // namespace tempo::test
