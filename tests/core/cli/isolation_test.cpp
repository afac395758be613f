// Fits in processes of their own: whatever a plugin does there costs its fit and no other.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "program.hpp"
#include "results/store.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

const std::string kRun = "run e.toml --plugin-path '" TEMPO_BAD_PLUGINS "' ";

/// A method that misbehaves in fits whose first column is b0, beside the probe: one fit or more of
/// its 20.
std::string rogue(const std::string& fault, const std::string& settings = "") {
  return edited("test = 3", "test = 10") + "[[method]]\nplugin = \"bad_method\"\nonly = \"b0\"\n" +
         "fault = \"" + fault + "\"\n" + settings;
}

/// The rows of a method.
std::vector<std::string> rows_with(const std::string& method, const std::string& csv) {
  std::vector<std::string> out;
  for (const auto& row : split(csv, '\n'))
    if (row.find("," + method + ",") != std::string::npos) out.push_back(row);
  return out;
}

std::size_t count_in(const std::vector<std::string>& rows, const std::string& passage) {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(),
      [&](const std::string& row) { return row.find(passage) != std::string::npos; }));
}

}  // namespace

TEST_CASE("a plugin that misbehaves costs its fits, and each says how", "[cli][run][isolation]") {
  const auto [fault, settings, status,
              error] = GENERATE(table<std::string, std::string, std::string, std::string>({
      {"crash", "", "failed",
       "the fit crashed (signal 11, Segmentation fault): plugin bad_method, while fitting: "
       "crashed (SIGSEGV)"},
      {"abort", "", "failed",
       "the fit crashed (signal 6, Aborted): bad_method: cannot go on | plugin bad_method, "
       "while fitting: crashed (SIGABRT)"},
      {"exit", "", "failed",
       "the fit's process ended with status 1 and gave no answer: bad_method: done | plugin "
       "bad_method, while fitting: ended the program (exit), which is not for a plugin to do"},
      {"writes_to_pipes", "", "failed",
       "the fit's process gave no answer but other bytes: a plugin in it writes to what is not its "
       "own"},
      {"hang", "timeout = 0.5", "timed_out", "the fit took more than 0.5 s"},
      {"swallow", "memory = 256", "out_of_memory", "the fit held more than 256 MiB of memory"},
  }));
  INFO(fault);
  const Program program;
  program.experiment(rogue(fault, settings));
  const auto outcome = program.tempo(kRun + "--jobs 2");
  INFO(outcome.errors);
  REQUIRE(outcome.code == 1);
  const auto csv = program.text("runs/e/results.csv");
  const auto rows = rows_with("bad_method", csv);
  REQUIRE(rows.size() == 20);
  const auto failed = count_in(rows, "," + status + ",");
  REQUIRE(failed > 0);
  REQUIRE(count_in(rows, error) == failed);
  REQUIRE(count_in(rows, ",ok,") == 20 - failed);
  REQUIRE(count_in(rows_with("probe", csv), ",ok,") == 20);
  REQUIRE(count_in(program.lines("runs/e/run.log"), status + ": ") == failed);
}

TEST_CASE("whatever a plugin does changes no byte of other fits", "[cli][run][isolation]") {
  const auto others = rows_with("probe", undisturbed(edited("test = 3", "test = 10")));
  REQUIRE(others.size() == 20);
  const auto run = [&](const std::string& fault, const std::string& isolation,
                       const std::string& jobs = "2") {
    const Program program;
    program.experiment(rogue(fault));
    const auto outcome = program.tempo(kRun + "--jobs " + jobs + " --isolate " + isolation);
    INFO(outcome.errors);
    REQUIRE((outcome.code == 0 || outcome.code == 1));
    REQUIRE(rows_with("probe", program.results("runs/e/results.csv")) == others);
    const auto rows = rows_with("bad_method", program.text("runs/e/results.csv"));
    REQUIRE(rows.size() == 20);
    const auto failed = 20 - count_in(rows, ",ok,");
    REQUIRE(count_in(rows, "plugin bad_method, while fitting: ") == failed);
    return failed;
  };
  SECTION("where it ends or crashes the process") {
    for (const auto* fault : {"crash", "abort", "exit", "quick_exit", "exit_beside",
                              "terminate_beside", "no_memory_beside", "overflow"}) {
      INFO(fault);
      REQUIRE(run(fault, "all") > 0);
    }
  }
  SECTION("where it changes what all share, in a process of its own or in tempo's") {
    for (const auto* fault :
         {"rounds_down", "flushes", "locale", "global_locale", "handler", "blocks"}) {
      INFO(fault);
      REQUIRE(run(fault, "all") > 0);
      REQUIRE(run(fault, "none", "1") > 0);
      run(fault, "none");  // what a thread shares with others is put back, and blamed on nobody
    }
  }
  SECTION("where it prints, closes streams, or leaves threads behind") {
    for (const auto* fault : {"prints", "closes", "leaves_threads"}) {
      INFO(fault);
      REQUIRE(run(fault, "all") == 0);
    }
  }
}

TEST_CASE("a plugin that crashes when all is done spoils nothing", "[cli][run]") {
  const Program program;
  program.experiment(rogue("crash_at_end"));
  const auto outcome = program.tempo(kRun + "--isolate none");
  REQUIRE_THAT(
      outcome.errors,
      Contains("warning: a crash after tempo had done its work, most likely in a plugin: "));
  REQUIRE(outcome.code == 0);
  REQUIRE(count_in(program.lines("runs/e/results.csv"), ",ok,") == 40);
}

TEST_CASE("isolated fits give the rows that others give, for any number of jobs",
          "[cli][run][isolation]") {
  const Program program;
  program.experiment(edited("plugin = \"probe\"", "plugin = \"probe\"\nnoise = 1.0\nwarns = true") +
                     "[[method]]\nplugin = \"debm\"\n[[method]]\nplugin = \"bayes\"\n");
  REQUIRE(program.tempo("run e.toml --isolate none --out none").code == 0);
  REQUIRE(program.tempo("run e.toml --isolate all --jobs 1 --out one").code == 0);
  REQUIRE(program.tempo("run e.toml --isolate all --jobs 2 --out two").code == 0);
  REQUIRE(program.lines("none/results.csv").size() == 19);
  REQUIRE(program.results("one/results.csv") == program.results("none/results.csv"));
  REQUIRE(program.results("two/results.csv") == program.results("none/results.csv"));
  SECTION("and the same details") {
    for (const std::string table : {"warnings", "calibration"}) {
      INFO(table);
      const auto of = [&](const std::string& run) {
        return program.tempo("results " + run + " --format csv --table " + table).output;
      };
      REQUIRE(of("none").size() > 50);
      REQUIRE(of("two") == of("none"));
    }
  }
}

TEST_CASE("isolated are fits of plugins that do not come with tempo", "[cli][run][isolation]") {
  const Program program;
  program.experiment(std::string(kExperiment) + "[[method]]\nplugin = \"debm\"\n");
  const auto isolated = [&](const std::string& options) {
    std::filesystem::remove_all(program.path() / "runs");
    REQUIRE(program.tempo("run e.toml " + options).code == 0);
    for (const auto& line : program.lines("runs/e/run.log"))
      if (line.find("processes of their own") != std::string::npos) return line;
    return std::string();
  };
  REQUIRE(isolated("") == "6 of 12 fits in processes of their own");
  REQUIRE(isolated("--isolate all") == "12 of 12 fits in processes of their own");
  REQUIRE(isolated("--isolate none").empty());
  SECTION("and those with a limit") {
    REQUIRE(isolated("--set method.debm.timeout=60") == "12 of 12 fits in processes of their own");
    REQUIRE_THAT(program.text("runs/e/experiment.lock.toml"), Contains("timeout = 60.0"));
  }
  SECTION("a limit makes no fit anew") {
    REQUIRE(isolated("").size() > 0);
    REQUIRE_THAT(program.tempo("run e.toml --set method.debm.memory=1000").output,
                 Contains("0 fitted, 0 failed, 12 taken from an earlier run"));
  }
}

TEST_CASE("isolated fits use models that the run trained", "[cli][run][isolation][training]") {
  const Program program;
  program.experiment(edited("plugin = \"probe\"", "plugin = \"learner\""));
  REQUIRE(program.tempo("run e.toml --isolate none --out none").code == 0);
  REQUIRE(program.tempo("run e.toml --out guests").code == 0);
  REQUIRE(program.lines("none/results.csv").size() > 7);
  REQUIRE(program.results("guests/results.csv") == program.results("none/results.csv"));
}

TEST_CASE("isolated fits are of the experiment as it was when the run began",
          "[cli][run][isolation]") {
  const Program program;
  // The probe's server begins after that of a method that hangs for a second.
  program.experiment(edited("plugin = \"probe\"",
                            "plugin = \"bad_method\"\nfault = \"hang\"\nonly = \"\"\ntimeout = 1\n"
                            "hypotheses = [\"h3\"]\n[[method]]\nplugin = \"probe\""));
  const auto expected = rows_with("probe", undisturbed(std::string(kExperiment)));
  REQUIRE(expected.size() == 6);
  const auto outcome = program.shell(
      "tempo " + kRun +
      "--jobs 1 --set cohorts.test=3 & pid=$!; for i in $(seq 300); do "
      "[ -f runs/e/experiment.lock.toml ] && break; sleep 0.01; done; sed -i s/h3/h1/ e.toml; wait $pid");
  REQUIRE(outcome.code == 1);
  REQUIRE(rows_with("probe", program.results("runs/e/results.csv")) == expected);
}

TEST_CASE("a guest's cohorts are drawn in processes of their own, their truths, too",
          "[cli][run][isolation]") {
  const Program program;
  const auto text = edited("[[hypothesis]]\nplugin = \"h3\"",
                           "[[hypothesis]]\nplugin = \"bad_hypothesis\"\nfault = \"crash\"");
  program.experiment(text);
  const auto outcome = program.tempo(kRun);
  REQUIRE(outcome.code == 1);
  const auto csv = program.text("runs/e/results.csv");
  REQUIRE(count_in(split(csv, '\n'), ",failed,") == 3);
  REQUIRE_THAT(csv, Contains("the fit crashed (signal 11, Segmentation fault): plugin "
                             "bad_hypothesis, while simulating a cohort"));
  REQUIRE(count_in(split(csv, '\n'), ",ok,") == 3);
  Store store(program.path() / "runs/e/results.sqlite", Database::Mode::read);
  REQUIRE(store.known_truths().size() == 3);
}

TEST_CASE("what a fit starts is gone before the next one begins", "[cli][run][isolation]") {
  const Program program;
  program.experiment(rogue("fork"));
  const auto outcome = program.tempo(kRun + "--jobs 1 --set method.bad_method.only=");
  INFO(outcome.output);
  REQUIRE(outcome.code == 0);
  REQUIRE(program.lines("left-processes").size() == 20);
}

TEST_CASE("the start of a server is no part of a fit's time", "[cli][run][isolation]") {
  const Program program;
  std::string values = "1";
  for (int i = 2; i <= 300; ++i) values += fmt::format(", {}", i);
  program.experiment(edited("plugin = \"probe\"", "plugin = \"probe\"\ntimeout = 0.2") +
                     "[sweep]\n\"method.probe.shift\" = [" + values + "]\n");
  const auto outcome = program.tempo("run e.toml --shard 1/100 --jobs 1");
  INFO(outcome.errors);
  REQUIRE(outcome.code == 0);
}

TEST_CASE("Ctrl-C ends isolated fits within a second", "[cli][run][isolation]") {
  const Program program;
  program.experiment(rogue("hang"));
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = program.shell(
      "tempo() { exec '" TEMPO_TEST_PROGRAM "' \"$@\"; }; (tempo " + std::string(kRun) +
      "--jobs 2) & pid=$!; for i in $(seq 600); do grep -q 'at work' runs/e/run.log 2>/dev/null && "
      "break; sleep 0.05; done; date +%s.%N > asked; kill -INT $pid; wait $pid; code=$?; date "
      "+%s.%N > ended; exit $code");
  REQUIRE(outcome.code == 130);
  REQUIRE_THAT(outcome.errors, Contains("to go; the same command continues"));
  const double seconds = std::stod(program.text("ended")) - std::stod(program.text("asked"));
  REQUIRE(seconds < 5.0);  // a second, and what a busy machine adds
  REQUIRE(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
  REQUIRE_THAT(line_with(program.text("runs/e/run.log"), "at work"),
               StartsWith("at work for 5 s: "));
}

}  // namespace tempo::test
