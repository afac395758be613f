// A run as tasks: submitted, looked at, ended by a scheduler, and continued.

#include <chrono>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;

/// The method draws from its stream, so that a stream that depends on the order of work would show.
const std::string kDrawing = edited("plugin = \"probe\"", "plugin = \"probe\"\nnoise = 1.0");

/// The same with a method that is trained.
const std::string kWithModels = kDrawing + "[[method]]\nplugin = \"learner\"\n";

/// The same as kDrawing, held up in the third fit until there is a file `go`; `log` gets a line per
/// fit.
const std::string kHeldUp = kDrawing + "waits_for = \"go\"\nlog = \"log\"\n";

/// Shell: start a run and wait until it is at the third fit and has stored two.
constexpr const char* kStartHeldUp =
    "until_ok() { for i in $(seq 600); do eval \"$1\" && return; sleep 0.05; done; }; "
    "'" TEMPO_TEST_PROGRAM
    "' run e.toml --jobs 1 --isolate none 2>err & pid=$!; "
    "trap 'kill -9 $pid 2>/dev/null' EXIT; "
    "until_ok '[ -f log ] && [ $(wc -l < log) -ge 3 ]'; "
    "until_ok 'tempo plan e.toml | grep -q \"; 2 cached\"'; ";

/// The counts that tempo status gives, of all methods together.
json totals(const Program& program, const std::string& run) {
  const auto outcome = program.tempo("status '" + run + "' --format json");
  INFO(outcome.errors);
  REQUIRE(outcome.code == 0);
  return json::parse(outcome.output).at("rows").back();
}

}  // namespace

TEST_CASE("tasks of this machine give what one process gives", "[cli][cluster]") {
  const Program program;
  program.experiment(kWithModels);
  const auto whole = undisturbed(kWithModels);
  const auto outcome =
      program.tempo("submit e.toml --launcher local --tasks 3 --out \"it's a {run}, 100%\"");
  INFO(outcome.errors << program.shell("cat */cluster/logs/*").output);
  REQUIRE(outcome.code == 0);
  const std::string run = "it's a {run}, 100%";
  REQUIRE(program.results(run + "/results.csv") == whole);

  SECTION("and cannot be submitted twice by mistake") {
    const auto again = program.tempo("submit e.toml --launcher local --out \"" + run + "\"");
    REQUIRE(again.code == 2);
    REQUIRE_THAT(again.errors, Contains("is submitted already"));
    const auto missing =
        program.tempo("submit e.toml --launcher local --failed --out \"" + run + "\"");
    REQUIRE(missing.code == 0);
    REQUIRE_THAT(missing.output, Contains("nothing is missing"));
  }
  SECTION("a forgotten setting does not hide fits; more fits are welcome") {
    const auto failed = "submit e.toml --launcher local --failed --out \"" + run + "\" ";
    const auto fewer = program.tempo(failed + "--set cohorts.test=1");
    REQUIRE(fewer.code == 2);
    REQUIRE_THAT(fewer.errors, Contains("was submitted with an experiment of") &&
                                   Contains("give the same file and --set again"));
    REQUIRE(program.results(run + "/results.csv") == whole);
    const auto more = program.tempo(failed + "--set cohorts.test=4");
    INFO(more.errors << more.output);
    REQUIRE(more.code == 0);
    REQUIRE(program.results(run + "/results.csv") ==
            undisturbed(edited(kWithModels, "test = 3", "test = 4")));
  }
  SECTION("a part that cannot be read is named") {
    program.write(run + "/cluster/parts/fits-2/results.sqlite", std::string(4096, 'x'));
    const auto status = program.tempo("status \"" + run + "\"");
    REQUIRE(status.code == 1);
    REQUIRE_THAT(status.errors, Contains("fits-2' cannot be read: ") &&
                                    Contains("remove this folder, and its fits are made again"));
  }
  SECTION("a task that runs again changes nothing") {
    const auto before = program.text(run + "/cluster/parts/fits-2/results.csv");
    REQUIRE(program
                .tempo("run \"" + run +
                       "/cluster/experiment.lock.toml\" --shard fits:2/3 --out \"" + run +
                       "/cluster/parts/fits-2\"")
                .code == 0);
    REQUIRE(program.text(run + "/cluster/parts/fits-2/results.csv") == before);
  }
  SECTION("what is lost is submitted again, and nothing else") {
    std::filesystem::remove_all(program.path() / run / "cluster/parts/fits-2");
    std::filesystem::remove(program.path() / run / "results.sqlite");
    program.write(run + "/run.lock", "");
    const auto missing =
        program.tempo("submit e.toml --launcher local --failed --out \"" + run + "\"");
    INFO(missing.errors);
    REQUIRE(missing.code == 0);
    REQUIRE_THAT(missing.output, Contains("; 1 of 3 tasks to start, 0 of 2 of models"));
    REQUIRE(program.results(run + "/results.csv") == whole);
  }
}

TEST_CASE("--dry-run shows everything and writes nothing", "[cli][cluster]") {
  const Program program;
  program.experiment(kWithModels +
                     "[cluster]\npartition = \"short\"\n[cluster.training]\ngpus = 1\n");
  for (const std::string launcher : {"slurm", "local", "script"}) {
    const auto outcome =
        program.tempo("submit e.toml --tasks 4 --throttle 2 --dry-run --launcher " + launcher);
    INFO(outcome.errors);
    REQUIRE(outcome.code == 0);
    REQUIRE_THAT(outcome.output, Contains("; 4 of 4 tasks to start, 2 of 2 of models"));
    REQUIRE(!program.has("runs"));
  }
  const auto slurm = program.tempo("submit e.toml --tasks 4 --throttle 2 --dry-run").output;
  for (const auto* line :
       {"#SBATCH --array=1-4%2\n", "#SBATCH --array=1-2%2\n", "#SBATCH --partition=short\n",
        "#SBATCH --gpus=1\n", "sbatch --parsable --dependency=aftercorr:JOB1 "})
    REQUIRE_THAT(slurm, Contains(line));
}

TEST_CASE("faults of [cluster] are named where they stand", "[cli][cluster]") {
  const Program program;
  program.experiment(kDrawing +
                     "[cluster]\ntime = \"soon\"\nmemory = \"much\"\npartion = \"short\"\n"
                     "extra = [\"a\\nb\", \"-p gpu\", \"#SBATCH --qos=low\", \"--array=1-3\"]\n");
  const auto outcome = program.tempo("submit e.toml --dry-run --cpus 0");
  REQUIRE(outcome.code == 2);
  for (const auto* fault :
       {"'time' must be a time as Slurm takes it", "'memory' must be a size",
        "did you mean 'partition'?", "'extra' must hold single lines", "--cpus"})
    REQUIRE_THAT(outcome.errors, Contains(fault));
  program.experiment(kDrawing + "[sweep]\n\"cluster.cpus\" = [1, 2]\n");
  REQUIRE_THAT(program.tempo("validate e.toml").errors, Contains("changes no result"));
}

TEST_CASE("[cluster] changes no result", "[cli][cluster]") {
  const Program program;
  program.experiment(kDrawing);
  REQUIRE(program.tempo("run e.toml").code == 0);
  program.experiment(kDrawing + "[cluster]\ncpus = 2\n");
  REQUIRE_THAT(program.tempo("run e.toml").output, Contains("0 fitted, 0 failed, 6 taken"));
}

TEST_CASE("scripts for other launchers do all the work", "[cli][cluster]") {
  const Program program;
  program.experiment(kWithModels);
  REQUIRE(program.tempo("submit e.toml --launcher script --tasks 2 --out \"a 'run' {1}\"").code ==
          0);
  // As GNU parallel does: a shell for each line.
  const auto outcome = program.shell(
      "cd \"a 'run' {1}/cluster\" && for list in train.txt fits.txt; do while read -r line; do sh -c \"$line\" "
      "|| exit 1; done <$list || exit 1; done && sh -c \"$(tail -n 1 with-parallel.sh)\"");
  INFO(outcome.output << outcome.errors);
  REQUIRE(outcome.code == 0);
  REQUIRE(program.results("a 'run' {1}/results.csv") == undisturbed(kWithModels));
}

TEST_CASE("SIGTERM ends a run within five seconds, keeps what is done, and leaves a trace",
          "[cli][cluster]") {
  const Program program;
  program.experiment(kHeldUp);
  // The probe does not listen: its fit is given up.
  const auto ended = program.shell(std::string(kStartHeldUp) +
                                   "begin=$(date +%s%N); kill -TERM $pid; sleep 0.2; kill -TERM "
                                   "$pid; wait $pid; code=$?; echo $(( ($(date +%s%N) - begin) / "
                                   "1000000 )) >took; exit $code");
  REQUIRE(ended.code == 130);
  REQUIRE(std::stoi(program.text("took")) < 5000);
  REQUIRE_THAT(program.text("err"), Contains("did not stop within 2 seconds of SIGTERM"));
  const auto log = program.text("runs/e/run.log");
  REQUIRE_THAT(log, Contains("\nSIGTERM: stopping\n"));
  REQUIRE_THAT(log, Contains("end: interrupted by SIGTERM"));
  const auto stopped = totals(program, "runs/e");
  REQUIRE(stopped.at("planned") == 6);
  REQUIRE(stopped.at("done") == 2);
  REQUIRE(stopped.at("lost") == 4);
  REQUIRE_THAT(program.tempo("status runs/e").output, Contains("1 stopped - run (on "));
  program.write("go", "");
  REQUIRE_THAT(program.tempo("run e.toml").output,
               Contains("4 fitted, 0 failed, 2 taken from an earlier run"));
  REQUIRE(program.results("runs/e/results.csv") == undisturbed(kDrawing));
}

TEST_CASE("status tells running from killed, and trusts nobody but the run folder",
          "[cli][cluster]") {
  const Program program;
  program.experiment(kHeldUp);
  const auto killed = program.shell(
      std::string(kStartHeldUp) +
      "tempo status runs/e >running; tempo results runs/e >results; kill -9 $pid; wait $pid; true");
  REQUIRE(killed.code == 0);
  REQUIRE_THAT(program.text("running"), Contains("1 task: 1 running"));
  REQUIRE_THAT(program.text("results"), StartsWith("all methods") || Contains("probe"));
  REQUIRE_THAT(program.tempo("status runs/e").output, Contains("1 task: 1 lost - run (on "));
  const auto lost = totals(program, "runs/e");
  REQUIRE(lost.at("done") == 2);
  REQUIRE(lost.at("running") == 0);
  REQUIRE(lost.at("lost") == 4);
}

TEST_CASE("on a disk that machines share there is no write-ahead log", "[cli][cluster]") {
  const Program program;
  program.experiment(kHeldUp);
  const std::string kill = "ls runs/e >files; kill -9 $pid; wait $pid; true";
  const auto is_written_ahead = [&] {
    return program.text("files").find("results.sqlite-wal") != std::string::npos;
  };
  SECTION("TEMPO_DISK says that it is one") {
    REQUIRE(program.shell("export TEMPO_DISK=network; " + std::string(kStartHeldUp) + kill).code ==
            0);
    REQUIRE(!is_written_ahead());
  }
  SECTION("or that it is none") {
    REQUIRE(program.shell("export TEMPO_DISK=local; " + std::string(kStartHeldUp) + kill).code ==
            0);
    REQUIRE(is_written_ahead());
  }
  program.write("go", "");
  REQUIRE(program.shell("TEMPO_DISK=network tempo run e.toml --durable").code == 0);
  REQUIRE(program.results("runs/e/results.csv") == undisturbed(kDrawing));
}

TEST_CASE("jobs are as many as cores that the process may use", "[cli][run]") {
  const Program program;
  program.experiment(kDrawing);
  REQUIRE_THAT(program.shell("taskset -c 0 tempo run e.toml").output, !Contains("2 jobs"));
  REQUIRE_THAT(
      program
          .shell("taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[,-].*//') '" TEMPO_TEST_PROGRAM
                 "' run e.toml")
          .output,
      Contains("; 1 job (this process may use 1 core)\n"));
  REQUIRE_THAT(program.shell("SLURM_CPUS_PER_TASK=1 tempo run e.toml").output,
               Contains("; 1 job ("));
}

TEST_CASE("a cost is told in advance, and how it is known", "[cli][cluster]") {
  const Program program;
  program.experiment(kDrawing);
  const auto probed = program.tempo("plan e.toml --jobs 2").output;
  REQUIRE_THAT(probed, Contains("a probe of 2 fits"));  // one of each hypothesis
  REQUIRE_THAT(probed, Contains(" by the clock with 2 jobs\n"));
  REQUIRE_THAT(probed, Contains("largest memory of a task: "));
  REQUIRE(!program.has("runs"));
  REQUIRE_THAT(program.tempo("plan e.toml --jobs 2 --probe 0").output,
               Contains("at least 0 CPU seconds"));
  REQUIRE(program.tempo("run e.toml").code == 0);
  REQUIRE_THAT(program.tempo("plan e.toml --set cohorts.test=9 --tasks 4").output,
               Contains("stored fits of the same method and size"));
  REQUIRE_THAT(program.tempo("plan e.toml --set cohorts.test=9 --shard 1/4 --out new").output,
               !Contains("18 to run"));
}

TEST_CASE("trying a training ends in time, however seldom it says how far it is",
          "[cli][cluster]") {
  const Program program;
  program.experiment(kDrawing +
                     "[[method]]\nplugin = \"learner\"\ncohorts = 1\nwaits_for = \"nothing\"\n");
  const auto begin = std::chrono::steady_clock::now();
  const auto output = program.tempo("plan e.toml --jobs 1 --probe 0.2").output;
  REQUIRE(std::chrono::steady_clock::now() - begin < std::chrono::seconds(40));
  // The first epoch, and six times as long as was asked for.
  REQUIRE_THAT(output, Contains(" s of it") && !Contains("the first 1 s"));
}

}  // namespace tempo::test
