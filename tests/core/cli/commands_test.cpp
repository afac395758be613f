// Commands, options and exit codes.

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using nlohmann::json;

}  // namespace

TEST_CASE("help is there and costs nothing", "[cli][help]") {
  const Program program;
  SECTION("of the program") {
    for (const auto* ask : {"--help", "-h", "help"}) {
      const auto outcome = program.tempo(ask);
      REQUIRE(outcome.code == 0);
      REQUIRE_THAT(outcome.output, Contains("usage: tempo COMMAND ..."));
      for (const auto* command :
           {"run", "validate", "plan", "simulate", "results", "merge", "plugins"})
        REQUIRE_THAT(outcome.output, Contains("\n  " + std::string(command) + " "));
    }
  }
  SECTION("of each command, whatever else is asked for") {
    for (const auto* command :
         {"run", "validate", "plan", "simulate", "results", "merge", "plugins"}) {
      const auto outcome = program.tempo(std::string(command) + " --help");
      INFO(command << outcome.errors);
      REQUIRE(outcome.code == 0);
      REQUIRE_THAT(outcome.output, StartsWith("usage: tempo " + std::string(command) + " "));
      REQUIRE_THAT(outcome.output, Contains("-h [ --help ]"));
      REQUIRE(outcome.errors.empty());
    }
  }
  SECTION("version") {
    REQUIRE_THAT(program.tempo("--version").output, StartsWith("tempo 0.1.0 (tempo-0.1.0|"));
  }
}

TEST_CASE("faults of the command line are named with the nearest name", "[cli][options]") {
  const Program program;
  program.experiment(kExperiment);
  const auto complaint = [&](const std::string& arguments) {
    const auto outcome = program.tempo(arguments);
    INFO(arguments << "\n" << outcome.errors);
    REQUIRE(outcome.code == 2);
    REQUIRE(outcome.output.empty());
    REQUIRE(!program.has("runs"));
    return outcome.errors.substr(0, outcome.errors.find('\n'));
  };
  REQUIRE(
      complaint("rum e.toml") ==
      "tempo: unknown command 'rum'; expected 'run', 'validate', 'plan', 'submit', 'status', 'train', 'infer', "
      "'stage', 'compare', 'plausibility', 'calibrate', 'score', 'power', 'simulate', 'results', 'report', "
      "'merge', 'import', "
      "'fit-parameters', "
      "'synthesize-adnimerge', "
      "'plugins' or 'help'; did you mean 'run'? (see tempo help)");
  REQUIRE(complaint("run e.toml --job 3") ==
          "tempo run: unknown option '--job'; did you mean '--jobs'? (see tempo run --help)");
  REQUIRE(complaint("run") == "tempo run: EXPERIMENT is missing (see tempo run --help)");
  REQUIRE_THAT(complaint("run e.toml f.toml"), StartsWith("tempo run: "));
  for (const auto* jobs : {"0", "-1", "1025"})
    REQUIRE(complaint("run e.toml --jobs=" + std::string(jobs)) ==
            "tempo run: --jobs must be between 1 and 1024, not " + std::string(jobs));
  REQUIRE_THAT(complaint("run e.toml --jobs two"), Contains("'two'"));
  REQUIRE_THAT(complaint("run e.toml --jobs 1.5"), Contains("'1.5'"));
  for (const auto* shard : {"0/2", "3/2", "1/-2", "1", "1/2/3", "a/b", "/", " 1/2"})
    REQUIRE(complaint("run e.toml --shard '" + std::string(shard) + "'") ==
            "tempo run: --shard must be I/N with 1 <= I <= N, such as 2/8, not '" +
                std::string(shard) + "'");
  REQUIRE(complaint("run e.toml --fail-fast --keep-going") ==
          "tempo run: give --fail-fast or --keep-going, not both");
  REQUIRE(complaint("results nowhere") == "nowhere: no such folder");
  REQUIRE(
      complaint("results nowhere --metric tau_distanse") ==
      "--metric: unknown metric 'tau_distanse'; expected 'tau_distance', 'stage_mae', "
      "'sequence_mae', 'seconds', 'matched_tau_distance', 'assigned_tau_distance', "
      "'subtype_score', 'subtype_number_error', 'rank_log_score', 'rank_inside_90', "
      "'stage_log_score', 'stage_inside_90', 'subtype_number_right' or 'first_event'; did you mean 'tau_distance'?");
  REQUIRE_THAT(complaint("results nowhere --metric tau"),
               EndsWith("; did you mean 'tau_distance'?"));
  REQUIRE_THAT(complaint("results nowhere --metric staging"),
               EndsWith("; did you mean 'stage_mae'?"));
  REQUIRE(complaint("-v") ==
          "tempo: unknown option '-v'; expected '--help' or '--version', or a command before its "
          "options (see tempo help)");
  REQUIRE(complaint("results nowhere --format jsn") ==
          "tempo results: unknown format 'jsn'; expected 'table', 'csv', 'json', 'latex' or "
          "'markdown'; did you mean 'json'?");
  REQUIRE(complaint("merge a b") ==
          "tempo merge: --out FOLDER is missing (see tempo merge --help)");
  REQUIRE(complaint("merge a --out b") == "a: no such folder");
  REQUIRE(complaint("simulate e.toml") ==
          "tempo simulate: --out FOLDER is missing (see tempo simulate --help)");
  REQUIRE(complaint("plugins") ==
          "tempo plugins: ACTION is missing; expected 'list', 'info', 'new' or 'check' (see tempo "
          "plugins --help)");
  REQUIRE(complaint("plugins lst") ==
          "tempo plugins: unknown action 'lst'; expected 'list', 'info', 'new' or 'check'; did you "
          "mean 'list'?");
  REQUIRE(complaint("plugins info") == "tempo plugins: info needs the ID of a plugin");
  REQUIRE(complaint("plugins list probe") ==
          "tempo plugins: list takes no ID; tempo plugins info ID shows one plugin");
  REQUIRE(complaint("plugins info prope") ==
          "tempo plugins: no plugin 'prope'; did you mean 'probe'? (tempo plugins list shows all)");
}

TEST_CASE("of a run folder or experiment that is not there the nearest is named", "[cli]") {
  const Program program;
  program.experiment(kExperiment);
  REQUIRE(program.tempo("run e.toml --set cohorts.test=1 --out runs/quickstart").code == 0);
  program.write("experiments/quickstart.toml", "");
  const auto complaint = [&](const std::string& arguments) {
    const auto outcome = program.tempo(arguments);
    REQUIRE(outcome.code == 2);
    return outcome.errors.substr(0, outcome.errors.find('\n'));
  };
  REQUIRE(complaint("results quickstart") ==
          "quickstart: no such folder; did you mean 'runs/quickstart'?");
  for (const std::string folder : {"runs/quickstrat", "runs/quickstrat/"})
    REQUIRE(complaint("results " + folder) ==
            folder + ": no such folder; did you mean 'runs/quickstart'?");
  REQUIRE(complaint("report experiments") ==
          "experiments: is no run folder: it has no results.sqlite");
  for (const auto* command : {"run", "plan", "validate"})
    REQUIRE(complaint(command + std::string(" quickstart.toml")) ==
            "quickstart.toml: no such file; did you mean 'experiments/quickstart.toml'?");
  REQUIRE(complaint("run experiments/quickstrat.toml") ==
          "experiments/quickstrat.toml: no such file; did you mean 'experiments/quickstart.toml'?");

  SECTION("those that come with tempo lie beside it") {
    const auto outcome = program.shell(
        "mkdir -p bare/bin bare/share/tempo/experiments other && cp '" TEMPO_TEST_PROGRAM
        "' bare/bin/tempo && touch bare/share/tempo/experiments/sweep.toml && cd other && "
        "../bare/bin/tempo run sweep.toml");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(outcome.errors, StartsWith("sweep.toml: no such file; did you mean '") &&
                                     Contains("/bare/share/tempo/experiments/sweep.toml'?\n"));
  }
}

TEST_CASE("validate says what the experiment is and leaves nothing behind", "[cli][validate]") {
  const Program program;
  program.experiment(kExperiment);
  const auto outcome = program.tempo("validate e.toml");
  REQUIRE(outcome.code == 0);
  REQUIRE(outcome.output == "e.toml: ok: 2 hypotheses x 1 method x 3 cohorts = 6 fits\n");
  REQUIRE(program.tempo("validate e.toml --set cohorts.test=1").output ==
          "e.toml: ok: 2 hypotheses x 1 method x 1 cohort = 2 fits\n");
  REQUIRE(!program.has("runs"));
}

TEST_CASE("run prints tables and where the numbers are", "[cli][run]") {
  const Program program;
  program.experiment(kExperiment);
  const auto outcome = program.tempo("run e.toml --jobs 1");
  REQUIRE(outcome.code == 0);
  REQUIRE(outcome.errors.empty());
  REQUIRE_THAT(outcome.output,
               StartsWith("experiment e: 2 hypotheses x 1 method x 3 cohorts = 6 fits; "
                          "1 job\n\nall methods over 2 hypotheses: "));
  for (const auto* heading : {"\ntau distance ", "\nstaging MAE "})
    REQUIRE_THAT(outcome.output, Contains(heading));
  REQUIRE_THAT(outcome.output, EndsWith("\nresults: runs/e/results.csv\n" + report_line("runs/e") +
                                        "next: tempo results runs/e --metric sequence_mae  # the "
                                        "event-time error\n"));
  for (const auto* file : {"results.csv", "results.sqlite", "experiment.lock.toml", "run.log"})
    REQUIRE(program.has("runs/e/" + std::string(file)));

  SECTION("results shows them again in every format") {
    const auto table = program.tempo("results runs/e");
    REQUIRE(table.code == 0);
    REQUIRE_THAT(outcome.output, Contains("\n" + table.output));
    const auto found =
        json::parse(program.tempo("results runs/e --metric stage_mae --format json").output);
    REQUIRE(found["metric"] == "stage_mae");
    REQUIRE(found["rows"].size() == 2);
    REQUIRE(found["rows"][1]["hypothesis"] == "late");
    REQUIRE(found["rows"][1]["scored"] == 3);
    for (const auto* format : {"csv", "latex", "markdown"})
      REQUIRE(program.tempo("results runs/e --format " + std::string(format)).code == 0);
  }
  SECTION("results beside scores from outside, and as differences from them") {
    program.write("theirs.csv",
                  "hypothesis,cohort,method,stage_mae\nlate,0,theirs,0\nlate,7,theirs,0\n");
    const auto differences = program.tempo(
        "results runs/e --with theirs.csv --against theirs --metric stage_mae --format json");
    REQUIRE(differences.code == 0);
    REQUIRE(differences.errors ==
            "theirs.csv: 1 row left out: of cohorts that are not in this run\n");
    const auto found = json::parse(differences.output);
    REQUIRE(found["minus"] == "theirs");
    REQUIRE(found["rows"].size() == 1);
    REQUIRE(found["rows"][0]["planned"] == 1);
    const auto unknown = program.tempo("results runs/e --with theirs.csv --against their");
    REQUIRE(unknown.code == 2);
    REQUIRE_THAT(unknown.errors, Contains("--against: no method 'their'; expected 'probe' or "
                                          "'theirs'; did you mean 'theirs'?\n"));
  }
}

TEST_CASE("results has the traces of chains as CSV", "[cli][results]") {
  const Program program;
  SECTION("a line per chain and point") {
    program.experiment(edited("plugin = \"probe\"\n",
                              "plugin = \"probe\"\n[[method]]\nplugin = \"debm_gmm\"\nchains = 2\n"
                              "iterations = 8\nburn_in = 0\n"));
    REQUIRE(program.tempo("run e.toml").code == 0);
    const auto outcome = program.shell("tempo results runs/e --table traces > traces.csv");
    REQUIRE(outcome.code == 0);
    REQUIRE(outcome.errors.empty());
    const auto lines = program.lines("traces.csv");
    REQUIRE(lines.size() == 1 + 2 * 3 * 2 * 4);  // of eight sweeps the later four
    REQUIRE(lines[0] == "hypothesis,cohort,method,trained_on,chain,point,log_likelihood");
    REQUIRE_THAT(lines[1], StartsWith("h3,0,debm_gmm,,0,0,"));
    REQUIRE_THAT(lines[8], StartsWith("h3,0,debm_gmm,,1,3,"));
    REQUIRE_THAT(lines[48], StartsWith("late,2,debm_gmm,,1,3,"));
    for (std::size_t i = 1; i < lines.size(); ++i)
      REQUIRE(std::isfinite(std::stod(lines[i].substr(lines[i].rfind(',') + 1))));

    const auto as = [&](const std::string& format) {
      return program.tempo("results runs/e --table traces --format " + format).output;
    };
    REQUIRE(as("csv") == program.text("traces.csv"));
    const auto rows = nlohmann::json::parse(as("json"))["rows"];
    REQUIRE(rows.size() == lines.size() - 1);
    REQUIRE(lines[48].ends_with(fmt::format(",{}", rows[47]["log_likelihood"].get<double>())));
    REQUIRE_THAT(as("table"),
                 StartsWith("log-likelihoods along Markov chains\nhypothesis  cohort  method"));
    REQUIRE_THAT(as("markdown"), Contains("| h3 | 0 | debm_gmm |"));
    REQUIRE_THAT(as("latex"), Contains("\\begin{tabular}"));
  }
  SECTION("methods without chains have none") {
    program.experiment(kExperiment);
    REQUIRE(program.tempo("run e.toml").code == 0);
    const auto outcome = program.tempo("results runs/e --table traces");
    REQUIRE(outcome.code == 0);
    REQUIRE(outcome.output == "hypothesis,cohort,method,trained_on,chain,point,log_likelihood\n");
  }
}

TEST_CASE("cohorts that were written are the cohorts that are run", "[cli][simulate]") {
  const Program program;
  // The method draws from its stream and sees the columns in a random order: both depend on names
  // and numbers only, so every fit gives the same on the cohorts read from files.
  const auto method = std::string("[[method]]\nplugin = \"probe\"\nnoise = 0.5\n");
  program.experiment(edited("[[method]]\nplugin = \"probe\"\n", method));
  const auto simulated = program.tempo("simulate e.toml --out cohorts");
  REQUIRE(simulated.code == 0);
  REQUIRE(simulated.output ==
          "cohorts/exp3: 3 cohorts of h3\ncohorts/late: 3 cohorts of late\n"
          "6 cohorts written\n");
  program.write("f.toml",
                "schema = 1\nseed = 7\n[cohorts]\nsource = \"folder\"\npath = "
                "\"cohorts\"\n" +
                    method);
  REQUIRE(program.tempo("run e.toml").code == 0);
  REQUIRE(program.tempo("run f.toml").code == 0);
  REQUIRE(program.results("runs/e/results.csv") == program.results("runs/f/results.csv"));

  SECTION("a number that no hypothesis has is a fault") {
    const auto outcome = program.tempo("validate f.toml --set cohorts.datasets=0,7-57");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(outcome.errors, Contains("'datasets' names 7, 8, 9, 10, 11 and 46 more, which no "
                                          "hypothesis in the folder has\n1 problem;"));
  }
  SECTION("some of them") {
    REQUIRE(program.tempo("run f.toml --set cohorts.datasets=0,2 --out some").code == 0);
    REQUIRE(program.lines("some/results.csv").size() == 5);
  }
  SECTION("one of them, named by its number alone") {
    REQUIRE(program.tempo("run f.toml --set cohorts.datasets=2 --out one").code == 0);
    REQUIRE(program.lines("one/results.csv").size() == 3);
    REQUIRE_THAT(program.tempo("validate f.toml --set cohorts.datasets=7").errors,
                 Contains("'datasets' names 7, which no hypothesis in the folder has"));
  }
  SECTION("a truth without its file is told of, wherever files are read") {
    for (const auto& entry : std::filesystem::directory_iterator(program.path() / "cohorts/exp3"))
      if (entry.path().string().ends_with("_m1.csv")) std::filesystem::remove(entry.path());
    for (const std::string command : {"validate f.toml", "run f.toml --out part"}) {
      const auto outcome = program.tempo(command);
      REQUIRE(outcome.code == 0);
      REQUIRE_THAT(outcome.errors,
                   Contains("exp3/true_order_and_stages.json has the truth of 1 cohort without a "
                            "CSV beside it: "));
    }
  }
  SECTION("codes for missing values in their files are named") {
    REQUIRE(
        program
            .shell("for f in cohorts/exp3/*_m1.csv; do awk -F, -v OFS=, 'NR > 1 && $2 == \"b0\" "
                   "&& $1 < 3 { $3 = -999 } 1' \"$f\" > t && mv t \"$f\"; done")
            .code == 0);
    REQUIRE_THAT(program.tempo("validate f.toml").errors,
                 Contains("_m1.csv: b0 is -999 in 3 of ") && Contains("leave such cells empty\n"));
  }
  SECTION("those of the hypotheses that are named") {
    program.write("g.toml", program.text("f.toml") + "[[hypothesis]]\nplugin = \"h3\"\n");
    REQUIRE(program.tempo("validate g.toml").output ==
            "g.toml: ok: 1 hypothesis x 1 method x 3 cohorts = 3 fits\n");
  }
  SECTION("they are not written over") {
    const auto again = program.tempo("simulate e.toml --out cohorts");
    REQUIRE(again.code == 1);
    REQUIRE_THAT(again.errors, StartsWith("tempo simulate: 'cohorts/exp3' is not empty"));
  }
  SECTION("there is nothing to simulate in files") {
    const auto outcome = program.tempo("simulate f.toml --out more");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(outcome.errors,
                 StartsWith("f.toml: [cohorts] source = \"folder\" has nothing to simulate\n"));
    REQUIRE(!program.has("more"));
  }
  SECTION("a sweep has a folder per point") {
    program.write("s.toml",
                  program.text("e.toml") + "[sweep]\n\"cohorts.participants\" = [20, 30]\n");
    const auto outcome = program.tempo("simulate s.toml --out points");
    REQUIRE(outcome.code == 0);
    REQUIRE_THAT(outcome.output, StartsWith("points/point1: cohorts.participants=20\n"));
    REQUIRE(program.has("points/point2/exp3/j30_r0.21_Esn_kjOrdinalUniform_xnjNormal_m0.csv"));
  }
}

TEST_CASE("plugins are listed and explained, for people and programs", "[cli][plugins]") {
  const Program program;
  SECTION("list") {
    const auto outcome = program.tempo("plugins list");
    REQUIRE(outcome.code == 0);
    for (const auto* heading :
         {"hypothesis\n", "\nmethod\n", "\ntrainable_method\n", "\nstage_prior\n",
          "\nmeasurement_model\n", "\nsearched, in this order\n"})
      REQUIRE_THAT(outcome.output, Contains(heading));
    REQUIRE(line_with(outcome.output, "labelled_probe") ==
            "  labelled_probe         1.0.0  a test");
  }
  SECTION("list --all: a damaged plugin hides no other, and steers no terminal") {
    const std::string all = "plugins list --all --plugin-path '" TEMPO_BAD_PLUGINS "'";
    const std::string problem = "has the id 'caf\\xc3\\x1b[2J'";
    const auto shown = program.tempo(all).output;
    REQUIRE_THAT(line_with(shown, "id_is_no_text"), Contains(problem));
    REQUIRE(shown.find('\x1b') == std::string::npos);
    const auto found = json::parse(program.tempo(all + " --json").output);
    REQUIRE(std::any_of(found["plugins"].begin(), found["plugins"].end(), [&](const json& plugin) {
      return plugin.value("problem", "").find(problem) != std::string::npos;
    }));
  }
  SECTION("list --json") {
    const auto found = json::parse(program.tempo("plugins list --json").output);
    REQUIRE(found["folders"][0] == json({{"path", TEMPO_PROBES}, {"origin", "TEMPO_PLUGIN_PATH"}}));
    for (const auto& plugin : found["plugins"]) {
      INFO(plugin.dump());
      for (const auto* field : {"id", "kind", "version", "licence", "summary", "source",
                                "parameters", "path", "folder", "status"})
        REQUIRE(plugin.contains(field));
      REQUIRE(plugin.contains("labels") ==
              (plugin["kind"] == "method" || plugin["kind"] == "trainable_method"));
      REQUIRE(plugin["status"] == "usable");
    }
  }
  SECTION("list --all says which are not used and why") {
    const auto outcome = program.tempo("plugins list --all --plugin-path '" TEMPO_LATER_PROBES "'");
    REQUIRE(line_with(outcome.output, TEMPO_PROBES "/probe.so") ==
            "  " TEMPO_PROBES "/probe.so: shadowed: gives way to '" TEMPO_LATER_PROBES
            "/probe.so', which comes earlier in the search");
    REQUIRE(line_with(outcome.output, "  probe ") == "  probe                  2.0.0  a test");
  }
  SECTION("info") {
    const auto outcome = program.tempo("plugins info probe");
    REQUIRE(outcome.code == 0);
    REQUIRE_THAT(outcome.output,
                 StartsWith("method 'probe', version 1.0.0, licence MIT\n  a test\n"));
    REQUIRE(line_with(outcome.output, "noise") ==
            "  noise            number >= 0, default 0: sd of what is added to each score");
  }
  SECTION("info of a method that is trained") {
    const auto outcome = program.tempo("plugins info learner");
    REQUIRE_THAT(outcome.output, StartsWith("trainable_method 'learner', version 1.0.0"));
    REQUIRE_THAT(outcome.output, Contains("\n  labels: infer; missing values: refused\n"));
  }
  SECTION("info of a key that may be a table") {
    REQUIRE(
        line_with(program.tempo("plugins info composed").output, "event_times") ==
        "  event_times      'permutation', 'beta' or a table, default \"permutation\": how event "
        "times come about");
  }
  SECTION("info --json") {
    const auto found = json::parse(program.tempo("plugins info labelled_probe --json").output);
    REQUIRE(found["id"] == "labelled_probe");
    REQUIRE(found["labels"] == "fit");
    REQUIRE(found["missing_data"] == "refused");
    REQUIRE(found["parameters"][1] == json({{"key", "noise"},
                                            {"type", "number"},
                                            {"default", "0"},
                                            {"allowed", ">= 0"},
                                            {"unit", ""},
                                            {"help", "sd of what is added to each score"}}));
  }
}

TEST_CASE("a limit on the size of files is an error, and no signal", "[cli]") {
  const Program program;
  program.experiment(kExperiment);
  const auto outcome = program.shell("ulimit -f 1; tempo simulate e.toml --out cohorts");
  REQUIRE(outcome.code == 1);
  REQUIRE_THAT(outcome.errors, Contains("File too large"));
  REQUIRE(program.tempo("simulate e.toml --out cohorts").code == 0);
}

TEST_CASE("output that is lost is no success", "[cli]") {
  const Program program;
  program.experiment(kExperiment);
  REQUIRE(program.tempo("run e.toml").code == 0);
  for (const auto* command :
       {"results runs/e", "run --help", "--version", "plan e.toml", "run e.toml"}) {
    const auto outcome = program.tempo(std::string(command) + " > /dev/full");
    REQUIRE(outcome.code == 1);
    REQUIRE(outcome.errors ==
            "tempo: the output could not be written in full (No space left on device)\n");
  }
  const auto outcome = program.shell("ln -sf /dev/full runs/e/run.log; tempo run e.toml");
  REQUIRE(outcome.code == 1);
  REQUIRE(outcome.errors == "tempo run: cannot write 'runs/e/run.log': No space left on device\n");
}

#ifndef __SANITIZE_ADDRESS__  // whose shadow alone takes more addresses
TEST_CASE("a machine that gives fewer threads than asked for does the work with those",
          "[cli][run]") {
  const Program program;
  program.experiment(kExperiment);
  // Stacks of a gigabyte, and room for a few.
  const auto outcome =
      program.shell("ulimit -s 1048576; ulimit -v 4194304; tempo run e.toml --jobs 1024");
  INFO(outcome.errors);
  REQUIRE(outcome.code == 0);
  REQUIRE_THAT(outcome.output, Contains("6 fitted, 0 failed"));
}
#endif

TEST_CASE("a damaged plugin is refused by name, and the others are listed", "[cli][plugins]") {
  const Program program;
  // A page of zeros, as an interrupted copy may leave: the size is right, and so is the header.
  // Some pages the dynamic linker needs.
  constexpr std::size_t kPage = 4096;
  const auto whole = read_text(std::filesystem::path(TEMPO_TEST_PLUGINS) / "debm.so");
  std::filesystem::create_directories(program.path() / "p");
  std::filesystem::copy(std::filesystem::path(TEMPO_TEST_PLUGINS) / "uniform.so",
                        program.path() / "p/uniform.so");
  std::size_t crashes = 0;
  for (std::size_t page = 1; (page + 1) * kPage < whole.size() && crashes == 0; ++page) {
    auto damaged = whole;
    damaged.replace(page * kPage, kPage, std::string(kPage, '\0'));
    program.write("p/debm.so", damaged);
    const auto outcome = program.tempo("plugins list --all --plugin-path p");
    INFO(outcome.output << outcome.errors);
    REQUIRE(outcome.code <= 1);
    REQUIRE_THAT(outcome.output, Contains("uniform"));
    if (outcome.output.find("crashes while it is loaded (SIG") != std::string::npos) ++crashes;
  }
  REQUIRE(crashes == 1);
}

TEST_CASE("a plugin folder that is not there is worth a word", "[cli][plugins]") {
  const Program program;
  program.experiment(kExperiment);
  const auto outcome = program.tempo("validate e.toml --plugin-path nowhere");
  REQUIRE(outcome.code == 0);
  REQUIRE(outcome.errors ==
          "warning: --plugin-path: cannot search 'nowhere': No such file or directory\n");
}

TEST_CASE("results shows what methods say in numbers", "[cli][results]") {
  const Program program;
  program.experiment(kExperiment);
  REQUIRE(program.tempo("run e.toml").code == 0);
  const auto shown = program.tempo("results runs/e --table diagnostics");
  REQUIRE(shown.code == 0);
  REQUIRE_THAT(shown.output,
               Contains("cohorts of  method  diagnostic  fits  mean  least  largest") &&
                   Contains("h3          probe   columns     3     5     5      5"));
  const auto csv = program.tempo("results runs/e --table diagnostics --format csv").output;
  REQUIRE_THAT(csv, StartsWith("hypothesis,cohort,method,diagnostic,value\n"));
  REQUIRE(std::count(csv.begin(), csv.end(), '\n') == 1 + 6);
}

}  // namespace tempo::test
