// tempo merge of experiments: one table of what several people ran, and nothing is fitted again.

#include "real_run.hpp"
#include "results/store.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

const std::string kMergedProbe = "[[method]]\nplugin = \"probe\"\n";
const std::string kMergedLabelled = "[[method]]\nplugin = \"labelled_probe\"\n";
const std::string kMine = kExperiment;
/// Two methods, of which kMine has the first.
const std::string kMineAndYours = kMine + kMergedLabelled;

/// Two folders `mine` and `yours` of these experiments.
class TwoRuns : public Program {
 public:
  TwoRuns(const std::string& mine, const std::string& yours) {
    write("other.toml", edited(kTable, "sd = 1.5", "sd = 1.75"));
    write("mine.toml", mine);
    write("yours.toml", yours);
    for (const std::string run : {"mine", "yours"}) {
      const auto outcome = tempo("run " + run + ".toml --out " + run);
      INFO(outcome.errors);
      REQUIRE(outcome.code == 0);
    }
  }
  /// What a refusal says, of which nothing is written.
  std::string refusal() const {
    const auto outcome = tempo("merge mine yours --out ours");
    REQUIRE(outcome.code == 2);
    REQUIRE_FALSE(has("ours"));
    return outcome.errors;
  }
  std::size_t stored_fits(const std::string& run) const {
    return Store(path() / run / "results.sqlite", Database::Mode::read).statuses().size();
  }
};

}  // namespace

TEST_CASE("experiments on the same cohorts join to the one that has all their methods",
          "[cli][merge]") {
  const TwoRuns runs(kMine, kMineAndYours);
  const auto outcome = runs.tempo("merge mine yours --out ours");
  REQUIRE(outcome.errors.empty());
  REQUIRE(outcome.output ==
          "2 experiments in one folder: 18 planned fits, 12 of them different\n"
          "12 of 12 planned fits have a result\nresults: ours/results.csv\n" +
              report_line("ours"));
  REQUIRE(runs.results("ours/results.csv") == undisturbed(kMineAndYours));
  REQUIRE(runs.stored_fits("ours") == 12);  // 6 of them are in both
  REQUIRE(runs.text("ours/mine.lock.toml") == runs.text("mine/experiment.lock.toml"));
  REQUIRE(runs.text("ours/yours.lock.toml") == runs.text("yours/experiment.lock.toml"));
  REQUIRE_FALSE(runs.has("ours/experiment.lock.toml"));
  REQUIRE_THAT(runs.tempo("results ours").output, Contains("probe") && Contains("labelled_probe"));
  REQUIRE_THAT(runs.tempo("results ours --against probe").output,
               Contains("minus that of probe on the same cohort") && Contains("labelled_probe"));

  SECTION("what is joined again stays as it is") {
    const auto before = runs.text("ours/results.csv");
    const auto again = runs.tempo("merge yours --out ours");
    REQUIRE(again.errors.empty());
    REQUIRE_THAT(again.output,
                 Contains("2 experiments in one folder: 18 planned fits, 12 of them different\n"));
    REQUIRE(runs.text("ours/results.csv") == before);
    REQUIRE(runs.tempo("merge ours --out copy").errors.empty());
    REQUIRE(runs.text("copy/results.csv") == before);
    REQUIRE(runs.has("copy/mine.lock.toml"));
  }
  SECTION("a third experiment comes to them, and its hypotheses after theirs") {
    runs.write("third.toml", edited(kMine, "plugin = \"h3\"", "plugin = \"h1\""));
    REQUIRE(runs.tempo("run third.toml --out third").code == 0);
    REQUIRE_THAT(runs.tempo("merge third --out ours").output,
                 Contains("3 experiments in one folder: 24 planned fits, 15 of them different\n"));
    const auto rows = runs.lines("ours/results.csv");
    REQUIRE(rows.size() == 1 + 12 + 3);
    REQUIRE(rows[1].starts_with("h3,0,probe,"));
    REQUIRE(rows[2].starts_with("h3,0,labelled_probe,"));
    REQUIRE(rows[13].starts_with("h1,0,probe,"));
  }
  SECTION("tempo run says what the folder is, and leaves it") {
    const auto before = runs.text("ours/results.csv");
    const auto run = runs.tempo("run mine.toml --out ours");
    REQUIRE(run.code == 2);
    REQUIRE(run.errors ==
            "ours: holds experiments that tempo merge joined ('mine', 'yours'): a run of one of "
            "them would leave the others out. Choose another --out, and join that run: tempo merge "
            "RUN --out ours\n1 problem; nothing was run.\n");
    REQUIRE(runs.text("ours/results.csv") == before);
  }
}

TEST_CASE("shards of several experiments join in any order", "[cli][merge]") {
  const TwoRuns runs(kMine, kMineAndYours);
  for (const std::string part : {"1", "2"})
    REQUIRE(runs.tempo("run yours.toml --shard " + part + "/2 --out part" + part).code == 0);
  REQUIRE(runs.tempo("merge part1 mine --out ours").code == 0);
  REQUIRE(runs.lines("ours/results.csv").size() < 13);
  REQUIRE_THAT(runs.tempo("merge part2 --out ours").output,
               Contains("2 experiments in one folder: 18 planned fits, 12 of them different\n"));
  REQUIRE(runs.results("ours/results.csv") == undisturbed(kMineAndYours));
  // What failed here and was done there is done.
  REQUIRE(runs.tempo("merge part2 mine part1 --out again").code == 0);
  REQUIRE(runs.results("again/results.csv") == undisturbed(kMineAndYours));
}

TEST_CASE("runs of a tempo that noted no cohorts join by what their fits are made of",
          "[cli][merge]") {
  const TwoRuns runs(kMine, kMineAndYours);
  for (const auto* table : {"planned_cohorts", "truths"})
    Database(runs.path() / "mine/results.sqlite", Database::Mode::create)
        .execute(std::string("DROP TABLE ") + table);
  REQUIRE(runs.tempo("merge mine yours --out ours").code == 0);
  REQUIRE(runs.results("ours/results.csv") == undisturbed(kMineAndYours));
}

TEST_CASE("what is not the same though it has one name keeps runs apart", "[cli][merge]") {
  SECTION("a method, which gets another id without a fit made anew") {
    const TwoRuns runs(
        kMine, edited(kMineAndYours, "plugin = \"probe\"", "plugin = \"probe\"\nshift = 1.5"));
    REQUIRE(
        runs.refusal() ==
        "yours: 'probe' stands for another method than in 'mine': settings.shift is 1.5, there "
        "0; give one of them another id = \"...\" in its [[method]] and call tempo run again: a "
        "method that is renamed keeps its results\n1 problem; nothing was run.\n");
    runs.write("yours.toml",
               edited(runs.text("yours.toml"), "shift = 1.5", "shift = 1.5\nid = \"shifted\""));
    REQUIRE_THAT(runs.tempo("run yours.toml --out yours").output,
                 Contains("0 fitted, 0 failed, 12 taken from an earlier run"));
    REQUIRE(runs.tempo("merge mine yours --out ours").code == 0);
    REQUIRE_THAT(runs.text("ours/results.csv"),
                 Contains("\nh3,0,probe,") && Contains("\nh3,0,shifted,"));
  }
  SECTION("a hypothesis and a method, both said at once") {
    const TwoRuns runs(kMine, edited(edited("alpha = 8.0", "alpha = 9.0"), "plugin = \"probe\"",
                                     "plugin = \"probe\"\nshift = 1.5"));
    REQUIRE_THAT(runs.refusal(),
                 Contains("yours: 'probe' stands for another method than in 'mine'") &&
                     Contains("yours: 'late' stands for another hypothesis than in 'mine': "
                              "settings.stage_prior.alpha is 9, there 8; give one of them another "
                              "id = \"...\" in its [[hypothesis]]") &&
                     Contains("2 problems"));
  }
  SECTION("cohorts of another seed, of another size, of other biomarkers") {
    const auto [from, to, complaint] = GENERATE(table<std::string, std::string, std::string>(
        {{"seed = 7", "seed = 8",
          "the cohorts of 'h3' are others than in 'mine': seed is 8, there 7; runs of one "
          "hypothesis need the same seed to be joined"},
         {"participants = 60", "participants = 61",
          "its cohorts are others than those of 'mine': participants is 61, there 60; runs that "
          "are to be joined need the same [cohorts], or a sweep over what differs"},
         {"five.toml", "other.toml",
          "its cohorts are others than those of 'mine': the biomarker table; runs that"}}));
    const TwoRuns runs(kMine, edited(from, to));
    REQUIRE_THAT(runs.refusal(), Contains("yours: " + complaint));
  }
  SECTION("what is stored of a fit") {
    const TwoRuns runs(kMine,
                       edited("[cohorts]", "[experiment]\nstage_posteriors = true\n[cohorts]"));
    REQUIRE_THAT(runs.refusal(),
                 Contains("yours: fits of 'probe' to cohorts of 'h3' are others than in 'mine': "
                          "stage_posteriors is true, there false; make both alike"));
  }
  SECTION("other sweeps") {
    const TwoRuns runs(kMine, kMine + "[sweep]\n\"cohorts.participants\" = [60, 70]\n");
    REQUIRE_THAT(runs.refusal(),
                 Contains("yours: sweeps over cohorts.participants, and 'mine' over nothing: only "
                          "runs that sweep the same settings, in the same order, can be joined"));
  }
  SECTION("a name that is shown for two methods") {
    const TwoRuns runs(edited("plugin = \"probe\"", "plugin = \"probe\"\nname = \"Best\""),
                       edited(kExperiment, kMergedProbe, kMergedLabelled + "name = \"Best\"\n"));
    REQUIRE_THAT(runs.refusal(), Contains("yours: the method 'labelled_probe' is shown as 'Best', "
                                          "and so is 'probe' of 'mine'"));
  }
}

TEST_CASE("sweeps join point by point", "[cli][merge]") {
  const auto sweep = [](const std::string& values) {
    return kMine + "[sweep]\n\"cohorts.participants\" = [" + values + "]\n";
  };
  const TwoRuns runs(sweep("60, 70"), sweep("70, 80"));
  REQUIRE_THAT(runs.tempo("merge mine yours --out ours").output,
               Contains("24 planned fits, 18 of them different\n18 of 18 planned fits"));
  REQUIRE(runs.results("ours/results.csv") == undisturbed(sweep("60, 70, 80")));
}

TEST_CASE("models come with the runs that applied them", "[cli][merge][training]") {
  const TwoRuns runs(kMine,
                     kMineAndYours + "[[method]]\nplugin = \"learner\"\ntrain_on = [\"h3\"]\n");
  REQUIRE(runs.tempo("merge mine yours --out ours").code == 0);
  REQUIRE_THAT(runs.tempo("results ours --table cross").output, Contains("learner"));
  Store store(runs.path() / "ours/results.sqlite", Database::Mode::read);
  REQUIRE(store.planned_models().size() == 1);
  REQUIRE(runs.has("ours/models/" + store.planned_models().front().name + ".safetensors"));
}

TEST_CASE("runs of one real cohort join; of another, or of none, they do not",
          "[cli][merge][real]") {
  const auto of_clinic = [](const std::string& methods) {
    return edited(kRealExperiment,
                  "[[method]]\nplugin = \"probe\"\n[[method]]\nplugin = \"learner\"\n", methods);
  };
  const Program program;
  program.write("three.toml", kThree);
  program.write("clinic.toml", kPeopleTable);
  program.write("clinic.csv", kPeople);
  program.write("mine.toml",
                edited(of_clinic(kMergedProbe), "[[hypothesis]]\nplugin = \"h3\"\n", ""));
  program.write("yours.toml", of_clinic("[[method]]\nplugin = \"learner\"\n"));
  program.write("simulated.toml", kMine);
  // Without a method that needs them, biomarkers are a fault.
  program.write("mine.toml",
                edited(program.text("mine.toml"), "biomarkers = \"three.toml\"\n", ""));
  for (const std::string run : {"mine", "yours", "simulated"}) {
    const auto outcome = program.tempo("run " + run + ".toml --out " + run);
    INFO(outcome.errors);
    REQUIRE(outcome.code == 0);
  }
  REQUIRE(program.tempo("merge mine yours --out ours").errors.empty());
  REQUIRE_THAT(program.tempo("results ours --table orders").output,
               Contains("probe") && Contains("learner"));
  REQUIRE(Store(program.path() / "ours/results.sqlite", Database::Mode::read).cohorts().size() ==
          1);
  REQUIRE(program.text("ours/intake.txt") == program.text("mine/intake.txt"));

  const auto mixed = program.tempo("merge mine simulated --out none");
  REQUIRE(mixed.code == 2);
  REQUIRE_THAT(mixed.errors, Contains("simulated: has cohorts with a truth, and 'mine' a real "
                                      "cohort: they have no table in common"));
  // One value is another.
  program.write("clinic.csv", edited(kPeople, "c1,CN,0.5", "c1,CN,0.25"));
  REQUIRE(program.tempo("run yours.toml --out other").code == 0);
  const auto other = program.tempo("merge mine other --out none");
  REQUIRE(other.code == 2);
  REQUIRE_THAT(other.errors, Contains("is another than that of 'mine': only runs of one cohort can "
                                      "be joined"));
  REQUIRE_FALSE(program.has("none"));
}

TEST_CASE("cohorts of folders join by their bytes, wherever they lie", "[cli][merge]") {
  const Program program;
  program.experiment(kMine);
  REQUIRE(program.tempo("simulate e.toml --out cohorts").code == 0);
  const auto reads = [](const std::string& folder, const std::string& methods) {
    return "schema = 1\nseed = 7\n[cohorts]\nsource = \"folder\"\npath = \"" + folder + "\"\n" +
           methods;
  };
  REQUIRE(program.shell("cp -r cohorts moved").code == 0);
  program.write("mine.toml", reads("cohorts", kMergedProbe));
  program.write("yours.toml", reads("moved", kMergedLabelled));
  for (const std::string run : {"mine", "yours"})
    REQUIRE(program.tempo("run " + run + ".toml --out " + run).code == 0);
  REQUIRE(program.tempo("merge mine yours --out ours").code == 0);
  REQUIRE(program.lines("ours/results.csv").size() == 13);

  REQUIRE(program
              .shell("for f in moved/exp3/*.csv; do echo >> $f; done; tempo run yours.toml "
                     "--out yours")
              .code == 0);
  const auto outcome = program.tempo("merge mine yours --out none");
  REQUIRE(outcome.code == 2);
  REQUIRE_THAT(outcome.errors,
               Contains("yours: cohort 0 of 'h3' is another than in 'mine': only runs on the same "
                        "cohorts can be joined"));
}

TEST_CASE("stores that cannot be read are told together with all else", "[cli][merge]") {
  const TwoRuns runs(kMine, edited("seed = 7", "seed = 8"));
  REQUIRE(runs.shell("cp -r mine later && cp -r mine broken").code == 0);
  Database(runs.path() / "later/results.sqlite", Database::Mode::create)
      .execute("UPDATE meta SET value = '3' WHERE name = 'layout'");
  runs.write("broken/results.sqlite", std::string(200, 'x'));
  const auto outcome = runs.tempo("merge mine later broken yours --out ours");
  REQUIRE(outcome.code == 2);
  REQUIRE_THAT(outcome.errors, Contains("later: results store 'later/results.sqlite': found layout "
                                        "3, this tempo reads layouts 1 to 2") &&
                                   Contains("broken: results store '") &&
                                   Contains("file is not a database") &&
                                   Contains("yours: the cohorts of 'h3' are others"));
  REQUIRE_FALSE(runs.has("ours"));
}

}  // namespace tempo::test
