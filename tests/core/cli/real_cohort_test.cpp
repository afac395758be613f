// [cohorts] source = "table": methods on one real cohort, whose truth nobody knows.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "clinic.hpp"
#include "results/codec.hpp"
#include "results/store.hpp"
#include "run/cohort_source.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using nlohmann::json;

/// The same without methods that look at hypotheses.
const std::string kProbeOnly =
    kClinicExperiment.substr(0, kClinicExperiment.find("[[method]]\nplugin = \"learner\""));

}  // namespace

TEST_CASE("a real cohort is fitted without scores", "[cli][real]") {
  const Clinic program;
  const auto outcome = program.tempo("run e.toml");
  INFO(outcome.errors);
  REQUIRE(outcome.code == 0);
  REQUIRE(program.results("runs/e/results.csv") ==
          "hypothesis,cohort,method,trained_on,status,tau_distance,stage_mae,sequence_mae,labels,"
          "error,\n"
          "real,0,probe,,ok,,,,none,\n"
          "real,0,learner,h3,ok,,,,infer,\n"
          "real,0,learner,h1,ok,,,,infer,\n"
          "real,0,bayes,h3,ok,,,,infer,\n"
          "real,0,bayes,h1,ok,,,,infer,\n"
          "real,1,probe,,ok,,,,none,\n"
          "real,2,probe,,ok,,,,none,\n"
          "real,3,probe,,ok,,,,none,\n");

  SECTION("the intake is shown first, and kept") {
    REQUIRE_THAT(outcome.output,
                 StartsWith("experiment e: 1 real cohort and 3 replicates x 3 methods (2 trained "
                            "models) = 8 fits; "));
    REQUIRE_THAT(
        outcome.output,
        Contains(
            "clinic.toml\nparticipants\n  60  in the table\n  20  healthy (CN: 20)\n  "
            "40  diseased (AD: 20, MCI: 20)\nbiomarkers: b0, b1, b2, b3, b4\n"
            "other columns: ID (participant), DX (diagnosis)\ndistributions before and after the event, "
            "estimated (healthy free)\nbiomarker  before: mean"));
    REQUIRE_THAT(outcome.output, Contains(program.text("runs/e/intake.txt")));
  }
  SECTION("no table speaks of a truth that nobody knows") {
    REQUIRE_THAT(outcome.output, !Contains("nan") && !Contains("tau distance ("));
    REQUIRE_THAT(outcome.output,
                 Contains("method   labels  under or trained on  fitted  replicates"));
    REQUIRE_THAT(line_with(outcome.output, "probe "),
                 StartsWith("probe    none    -                    1/1     3/3"));
    REQUIRE_THAT(program.tempo("results runs/e --table summary").output,
                 Contains(": not known of any cohort\n") && EndsWith("  -\n"));
    REQUIRE_THAT(program.tempo("results runs/e --metric seconds").output,
                 Contains("mean ± 95 % interval over "));
    REQUIRE(
        program.tempo("results runs/e --table cross").errors ==
        "runs/e: has no cross table: nobody knows the truth of a real cohort\n1 problem; nothing "
        "was run.\n");
    REQUIRE(program.tempo("results runs/e --table curve").errors ==
            "runs/e: has no table 'curve' of tau_distance: nobody knows the truth of a real "
            "cohort\n1 problem; nothing was run.\n");
    REQUIRE_THAT(program.tempo("results runs/e --table evidence").output,
                 Contains("bayes under h3  bayes under h1"));
  }
  SECTION("the store has names and values once, and of replicates what is looked at") {
    Store store(program.path() / "runs/e/results.sqlite", Database::Mode::read);
    const auto cohorts = store.cohorts();
    REQUIRE(cohorts.size() == 1);
    REQUIRE(cohorts[0].name == "clinic.toml");
    REQUIRE(cohorts[0].participants.size() == 60);
    REQUIRE(cohorts[0].participants[59] == "p59");
    REQUIRE(cohorts[0].diagnoses[59] == "AD");
    REQUIRE(cohorts[0].diseased[19] == 0);
    REQUIRE(cohorts[0].diseased[20] == 1);
    REQUIRE(cohorts[0].biomarkers == std::vector<std::string>{"b0", "b1", "b2", "b3", "b4"});
    REQUIRE(cohorts[0].intake + "" == program.text("runs/e/intake.txt").substr(12));
    std::size_t fits = 0;
    store.visit([&](const StoredFit& fit) {
      ++fits;
      REQUIRE(fit.id().is_real());
      const auto details = json::parse(codec::to_text(fit.details(DetailParts::all())));
      REQUIRE(!details.contains("participants"));
      REQUIRE(!details.contains("biomarkers"));
      REQUIRE(details["event_scores"].size() == 5);
      if (fit.id().cohort == 0)
        REQUIRE(details["stages"].size() == 60);
      else                             // no more than is looked at
        REQUIRE(details.size() == 3);  // the layout is one
      if (fit.id().cohort > 0) REQUIRE(details["event_times"].size() == 5);
    });
    REQUIRE(fits == 8);
    const auto content = store.cohort_content();
    REQUIRE(content->cohort.measurements(0, 0) ==
            std::stod(clinic().substr(clinic().find("p0,CN,") + 6)));
    REQUIRE(content->distributions.names() == cohorts[0].biomarkers);
  }
  SECTION("replicates are drawn within the healthy and within the diseased") {
    Cohort cohort;
    for (int j = 0; j < 60; ++j) {
      cohort.participants.push_back(std::to_string(j));
      cohort.diseased.push_back(j < 20 ? 0 : 1);
    }
    const auto first = drawn_participants(cohort, 7, 1);
    REQUIRE(first.size() == 60);
    for (std::size_t j = 0; j < 60; ++j) REQUIRE((first[j] < 20) == (j < 20));
    REQUIRE(first != drawn_participants(cohort, 7, 2));
    // 40 draws of 40: the chance that nobody is there twice is 40! / 40^40, about 1e-16.
    REQUIRE(std::set<std::size_t>(first.begin() + 20, first.end()).size() < 40);
  }
  SECTION("its lock file gives the same") {
    REQUIRE_THAT(
        program.tempo("run runs/e/experiment.lock.toml --out runs/e").output,
        Contains("0 models trained, 0 failed, 2 taken from an earlier run; 0 fitted, 0 failed, 8 "
                 "taken"));
  }
  SECTION("more replicates leave those that are there as they are") {
    REQUIRE_THAT(program.tempo("run e.toml --set analysis.bootstrap=5").output,
                 Contains("2 fitted, 0 failed, 8 taken from an earlier run"));
  }
  SECTION("other bytes that say the same are the same cohort") {
    const auto same = [&] {
      const auto again = program.tempo("run e.toml");
      REQUIRE_THAT(again.output, Contains("0 fitted, 0 failed, 8 taken from an earlier run"));
    };
    program.write("clinic.toml", std::string(kClinicTable) + "comment = \"%\"\n# a remark\n");
    program.write("clinic.csv", "% exported anew\n" + clinic() + "\n");
    same();
    REQUIRE(program.tempo("import clinic.toml --out long.csv").code == 0);
    program.experiment(edited(kClinicExperiment, "clinic.toml", "long.csv"));
    same();
  }
  SECTION("the same bytes read otherwise, and any other value, label or name, are another cohort") {
    const auto other = [&](const std::string& description, const std::string& table) {
      program.write("clinic.toml", description);
      program.write("clinic.csv", table);
      REQUIRE_THAT(
          program.tempo("plan e.toml").output,
          Contains("real probe: 4 planned, 0 cached, 4 to run; 4 stale: the cohort changed\n"));
    };
    other(edited(kClinicTable, "\"AD\"]", "\"AD\"], drop = [\"CN2\"]") + "censored = \"clamp\"\n",
          edited(clinic(), "p59,AD", "p59,CN2"));
    other(edited(edited(kClinicTable, "[\"CN\"]", "[\"CN\", \"MCI\"]"), "[\"MCI\", ", "["),
          clinic());
    other(kClinicTable, edited(clinic(), "p59,", "p60,"));
    other(kClinicTable, edited(clinic(), "p59,AD", "p59,MCI"));
    other(kClinicTable, edited(clinic(), ",b4\n", ",b5\n"));
    auto text = clinic();
    other(kClinicTable, text.erase(text.rfind(',') + 1) + "\n");  // a value less
  }
  SECTION("models and fits under a hypothesis hang on the estimates, others do not") {
    const auto plan = program.tempo("plan e.toml --set cohorts.healthy=fixed").output;
    REQUIRE_THAT(plan,
                 Contains("model learner on h3: to train; stale: the biomarker table changed\n"));
    REQUIRE_THAT(plan, Contains("real probe: 4 planned, 4 cached, 0 to run\n"));
    REQUIRE_THAT(plan, Contains("real bayes: 2 planned, 0 cached, 2 to run; 2 stale: "));
  }
}

TEST_CASE("replicates do not depend on jobs or shards", "[cli][real]") {
  const Clinic program;
  REQUIRE(program.tempo("run e.toml --jobs 1 --out one").code == 0);
  REQUIRE(program.tempo("run e.toml --jobs 2 --out two").code == 0);
  for (const auto* part : {"1", "2"})
    REQUIRE(program.tempo(fmt::format("run e.toml --shard {}/2 --out part{}", part, part)).code ==
            0);
  REQUIRE(program.tempo("merge part1 part2 --out whole").code == 0);
  const auto details = [&](const std::string& folder) {
    Store store(program.path() / folder / "results.sqlite", Database::Mode::read);
    REQUIRE(store.cohorts().size() == 1);
    std::string text;
    store.visit([&](const StoredFit& fit) {
      text += codec::to_text(fit.details(DetailParts::all())) + "\n";
    });
    return text;
  };
  REQUIRE(program.lines("one/results.csv").size() == 9);
  REQUIRE(details("one") == details("two"));
  REQUIRE(details("one") == details("whole"));
  REQUIRE(program.results("one/results.csv") == program.results("whole/results.csv"));
  REQUIRE(program.text("one/intake.txt") == program.text("whole/intake.txt"));
}

TEST_CASE("a bootstrap that was killed goes on where it was", "[cli][real]") {
  const Clinic program;
  program.experiment(edited(kProbeOnly, "biomarkers = \"estimate\"\n", "") +
                     "waits_for = \"go\"\nlog = \"log\"\n");
  const auto killed = program.shell(
      "until_ok() { for i in $(seq 600); do eval \"$1\" && return; sleep 0.05; done; }; "
      "'" TEMPO_TEST_PROGRAM
      "' run e.toml --jobs 1 --isolate none 2>err & pid=$!; "
      "trap 'kill -9 $pid 2>/dev/null' EXIT; until_ok '[ -f log ] && [ $(wc -l < log) -ge 3 ]'; "
      "until_ok 'tempo plan e.toml | grep -q \"; 2 cached\"'; kill -9 $pid; wait $pid");
  REQUIRE(killed.code == 137);
  program.write("go", "");
  REQUIRE_THAT(program.tempo("run e.toml").output,
               Contains("2 fitted, 0 failed, 2 taken from an earlier run"));
}

TEST_CASE("failures among replicates are counted", "[cli][real]") {
  const Clinic program;
  const auto outcome =
      program.tempo("run e.toml --set method.probe.fails_on=b1 --set analysis.bootstrap=20");
  REQUIRE(outcome.code == 1);
  // The first column is drawn anew for each: it is b1 here, and in two of twenty.
  REQUIRE_THAT(line_with(outcome.output, "probe    none"), Contains(" 0/1     18/20 "));
  REQUIRE_THAT(outcome.output, Contains("cannot start with b1"));
}

TEST_CASE("what a method cannot do with a real cohort stands in its row", "[cli][real]") {
  const Clinic program;
  auto text = clinic();
  const auto begin = text.find("p3,CN,") + 6;
  program.write("clinic.csv", text.erase(begin, text.find(',', begin) - begin));
  const auto outcome = program.tempo("run e.toml");
  REQUIRE(outcome.code == 1);
  REQUIRE_THAT(outcome.output, Contains("note: 1 missing measurement was left empty"));
  REQUIRE_THAT(line_with(program.text("runs/e/results.csv"), "real,0,probe,"),
               Contains(",failed,"));
  REQUIRE_THAT(line_with(program.text("runs/e/results.csv"), "real,0,bayes,h1"), Contains(",ok,"));
  for (const auto* policy : {"drop", "mean"}) {
    program.write("clinic.toml", edited(kClinicTable, "marginal", policy));
    REQUIRE(program.tempo("run e.toml").code == 0);
  }
}

TEST_CASE("a long CSV is a real cohort, too, and a table of distributions may know more",
          "[cli][real]") {
  const Clinic program;
  REQUIRE(program.tempo("import clinic.toml --out long.csv").code == 0);
  auto table = std::string(kTable);
  table.insert(
      table.find("  { name = \"b1\""),
      "  { name = \"zz\", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = 3.0, sd = "
      "1.0 } },\n");
  program.write("six.toml", table);
  const auto outcome =
      program.tempo("run e.toml --set cohorts.path=long.csv --set cohorts.biomarkers=six.toml");
  INFO(outcome.errors);
  REQUIRE(outcome.code == 0);
  REQUIRE_THAT(outcome.output,
               Contains("long.csv\nparticipants\n  60  in the table\n  20  healthy (CN: 20)\n"));
  REQUIRE_THAT(outcome.output, Contains("note: the cohort lacks biomarkers of the table"));
  REQUIRE_THAT(outcome.output, Contains("which are left out: zz\n"));
}

TEST_CASE("files are a setting that can be swept over", "[cli][real]") {
  const Clinic program;
  REQUIRE(program.tempo("import clinic.toml --out long.csv").code == 0);
  program.experiment(kClinicExperiment +
                     "[sweep]\n\"cohorts.path\" = [\"clinic.toml\", \"long.csv\"]\n");
  const auto outcome = program.tempo("run e.toml");
  INFO(outcome.errors);
  REQUIRE(outcome.code == 0);
  REQUIRE_THAT(outcome.output,
               Contains("\nclinic.toml\nparticipants") && Contains("\nlong.csv\nparticipants"));
  Store store(program.path() / "runs/e/results.sqlite", Database::Mode::read);
  REQUIRE(store.cohorts().size() == 2);
  REQUIRE(store.cohorts()[1].axis_values == std::vector<std::string>{"long.csv"});
  REQUIRE(program.lines("runs/e/results.csv").size() == 1 + 2 * 8);
}

TEST_CASE("faults of an experiment on a real cohort are named all at once", "[cli][real][faults]") {
  const Clinic program;
  const auto refused = [&](const std::string& from, const std::string& to) {
    program.experiment(edited(kClinicExperiment, from, to));
    const auto outcome = program.tempo("run e.toml");
    REQUIRE(outcome.code == 2);
    REQUIRE(outcome.output.empty());
    REQUIRE(!program.has("runs"));
    return outcome.errors.substr(0, outcome.errors.rfind('\n', outcome.errors.size() - 2) + 1);
  };
  REQUIRE(refused("path = \"clinic.toml\"\n", "") ==
          "e.toml:3:1: missing key 'path' in [cohorts]; expected a string\n");
  REQUIRE(
      refused("clinic.toml", "clinik.toml") ==
      "e.toml:5:8: no such file 'clinik.toml' (a path is relative to the file that names it)\n");
  REQUIRE(refused("\"estimate\"", "\"estimated\"") ==
          "e.toml:6:14: unknown biomarker table 'estimated'; did you mean 'estimate'?\n");
  REQUIRE(
      refused("\"estimate\"", "\"adni-12\"") ==
      "e.toml:6:14: the table 'adni-12' lacks biomarkers of the cohort: b0, b1, b2, b3, b4; leave "
      "them out of the cohort, or choose biomarkers = \"estimate\"\n");
  REQUIRE(
      refused("biomarkers = \"estimate\"\n", "") ==
      "e.toml:15:1: [[method]] 'learner' is trained on hypotheses: say what their parameters are "
      "beside source = \"table\", with biomarkers = \"estimate\" (or a table of your own) in "
      "[cohorts]\n"
      "e.toml:18:1: [[method]] 'bayes' infers under hypotheses: say what their parameters are "
      "beside "
      "source = \"table\", with biomarkers = \"estimate\" (or a table of your own) in [cohorts]\n");
  REQUIRE(refused("[[hypothesis]]\nplugin = \"h3\"\n[[hypothesis]]\nplugin = \"h1\"\n", "") ==
          "e.toml:12:1: [[method]] 'learner' is trained on hypotheses, and there is no "
          "[[hypothesis]]: add "
          "those that are to be considered, such as plugin = \"h1\"\n"
          "e.toml:15:1: [[method]] 'bayes' infers under hypotheses, and there is no "
          "[[hypothesis]]: add "
          "those that are to be considered, such as plugin = \"h1\"\n");
  REQUIRE(
      refused("plugin = \"h3\"", "plugin = \"h3\"\nid = \"real\"") ==
      "e.toml:9:1: a hypothesis with the id 'real' could not be told from the real cohort: give it "
      "another id\n");
  REQUIRE(refused("noise = 1.0", "column_order = \"truth\"") ==
          "e.toml:15:16: 'column_order' cannot be 'truth': nobody knows that of a real cohort\n");
  REQUIRE(refused("bootstrap = 3", "bootstrap = -1") ==
          "e.toml:8:13: 'bootstrap' must be an integer in [0, 100000], not -1\n");
  REQUIRE(refused("bootstrap = 3", "bootstraps = 3") ==
          "e.toml:8:1: unknown key 'bootstraps' in [analysis]; expected 'bootstrap'; did you mean "
          "'bootstrap'?\n");
  REQUIRE(refused("\"estimate\"", "\"estimate\"\nhealthy = \"fix\"\ntest = 3") ==
          "e.toml:7:11: 'healthy' must be 'free' or 'fixed', not 'fix'; did you mean 'fixed'?\n"
          "e.toml:8:1: unknown key 'test' in [cohorts]; expected 'source', 'path', 'biomarkers', "
          "'participants', 'healthy_ratio' or 'healthy'\n");

  SECTION("with those of the cohort's files") {
    program.write("clinic.toml",
                  edited(kClinicTable, "participant = \"ID\"", "participant = \"ID\"\nlayut = 1"));
    const auto report = refused("bootstrap = 3", "bootstrap = -1");
    REQUIRE_THAT(report,
                 StartsWith("e.toml:8:13: 'bootstrap' must be an integer in [0, 100000], not -1\n"
                            "clinic.toml:3:1: unknown key 'layut' in the description; "));
    REQUIRE_THAT(report, EndsWith("; did you mean 'layout'?\n"));
  }
  SECTION("values that cannot be estimated") {
    auto text = clinic();
    for (int j = 0; j < 20; ++j) {
      const auto row = fmt::format("p{},CN", j);
      const auto at = text.find(row);
      text.replace(at, text.find('\n', at) - at, row + fmt::format(",1,{},3,4,5", j));
    }
    program.write("clinic.csv", text);
    REQUIRE_THAT(
        refused("noise = 1.0", ""),
        StartsWith(
            "e.toml:6:14: the distributions of 'b0' cannot be estimated: the healthy all have "
            "the same value\n"
            "e.toml:6:14: the distributions of 'b2' cannot be estimated: "));
  }
  SECTION("[analysis] is for real cohorts") {
    program.experiment(std::string(kExperiment) + "[analysis]\nbootstrap = 3\n");
    REQUIRE_THAT(
        program.tempo("run e.toml").errors,
        StartsWith("e.toml:17:1: [analysis] is for a real cohort: expected source = \"table\" in "
                   "[cohorts]\n"));
  }
  SECTION("distributions that nobody asks for") {
    program.experiment(kProbeOnly);
    REQUIRE_THAT(
        program.tempo("run e.toml").errors,
        StartsWith(
            "e.toml:6:14: 'biomarkers' beside source = \"table\" is what methods are trained "
            "on or infer from, but no [[method]] here does\n"));
  }
}

}  // namespace tempo::test
