#include "run/runner.hpp"

#include <cmath>

#include "planned_study.hpp"
#include "run/describe_run.hpp"

namespace tempo::test {
namespace {

/// A run in a folder of its own.
class Run : public PlannedStudy {
 public:
  explicit Run(const std::string& text)
      : PlannedStudy(text), store(folder.path() / "results.sqlite", Database::Mode::create) {
    set_plan();
  }

  void set_plan() { store.set_plan(stored_plan(study, plan, RunDescription())); }
  RunCounts go(const RunOptions& options = {}) {
    Models models(study, plan, folder.path(), &store);
    return run_plan(study, plan, models, store, options, [&](const RunState& state) {
      reported += state.finished.size();
      last = state.counts;
    });
  }
  std::vector<double> distances() {
    std::vector<double> out;
    for (const auto& row : store.results().rows) out.push_back(row.result.scores.tau_distance);
    return out;
  }

  Store store;
  std::size_t reported = 0;
  RunCounts last;
};

const std::string kFailing = edited(
    "plugin = \"probe\"", "plugin = \"probe\"\ncolumn_order = \"alphabetical\"\nfails_on = \"b0\"");

}  // namespace

TEST_CASE("a run makes what its store lacks", "[run][runner]") {
  Run run(kExperiment);
  const auto counts = run.go();
  REQUIRE(counts.to_do == 6);
  REQUIRE(counts.ok == 6);
  REQUIRE(counts.failed == 0);
  REQUIRE(counts.cached == 0);
  REQUIRE_FALSE(counts.interrupted);
  REQUIRE(run.reported == 6);
  REQUIRE(run.last.ok == 6);
  for (const auto& row : run.store.results().rows) REQUIRE(row.result.status == FitStatus::ok);
  SECTION("and nothing the second time") {
    const auto again = run.go();
    REQUIRE(again.to_do == 0);
    REQUIRE(again.cached == 6);
    REQUIRE(run.reported == 6);
  }
}

TEST_CASE("numbers are the same in any number of threads", "[run][runner]") {
  const auto text = edited("plugin = \"probe\"", "plugin = \"probe\"\nnoise = 1.0");
  Run one(text), four(text);
  one.go({.jobs = 1, .shard = {}});
  four.go({.jobs = 4, .shard = {}});
  REQUIRE(one.distances() == four.distances());
}

TEST_CASE("fits with one key are made once", "[run][runner]") {
  Run run(kExperiment + std::string("[[method]]\nid = \"same\"\nplugin = \"probe\"\n"));
  const auto counts = run.go();
  REQUIRE(counts.to_do == 6);
  REQUIRE(counts.shared == 6);
  REQUIRE(run.store.results().rows.size() == 12);
  for (const auto& row : run.store.results().rows) REQUIRE(row.result.status == FitStatus::ok);
}

TEST_CASE("a shard makes its fits alone, and all shards all", "[run][runner]") {
  Run run(kExperiment);
  REQUIRE(run.go({.jobs = 1, .shard = {1, 3}}).to_do == 2);
  REQUIRE(run.go({.jobs = 1, .shard = {2, 3}}).to_do == 2);
  const auto last = run.go();
  REQUIRE(last.cached == 4);
  REQUIRE(last.to_do == 2);
}

TEST_CASE("a fit that fails is a row, and is tried again", "[run][runner]") {
  Run run(kFailing);
  const auto counts = run.go();
  REQUIRE(counts.failed == 6);
  REQUIRE(counts.ok == 0);
  for (const auto& row : run.store.results().rows) {
    REQUIRE(row.result.status == FitStatus::failed);
    REQUIRE(row.result.error == "plugin probe, while fitting: cannot start with b0");
  }
  REQUIRE(run.go().to_do == 6);
}

TEST_CASE("with fail_fast the first failure ends a run", "[run][runner]") {
  Run run(kFailing);
  const auto counts = run.go({.jobs = 1, .shard = {}, .fail_fast = true});
  REQUIRE(counts.failed == 1);
  REQUIRE_FALSE(counts.interrupted);
}

TEST_CASE("a run that is asked to stop starts no fit and says so", "[run][runner]") {
  Run run(kExperiment);
  const std::atomic<bool> stop = true;
  const auto counts = run.go({.jobs = 2, .shard = {}, .fail_fast = false, .stop = &stop});
  REQUIRE(counts.interrupted);
  REQUIRE(counts.ok == 0);
  REQUIRE(run.go().ok == 6);
}

TEST_CASE("fits of a model that has not been trained fail with it", "[run][runner]") {
  Run run(edited("plugin = \"probe\"", "plugin = \"learner\"\ntrain_on = [\"h3\"]"));
  REQUIRE(run.go().failed == 6);
  REQUIRE(run.store.results().rows.front().result.error == "the model has not been trained");
}

TEST_CASE("the fate of each fit follows from what is stored", "[run][runner]") {
  const PlannedStudy planned(
      edited("test = 3", "test = 1") +
      "[[method]]\nid = \"same\"\nplugin = \"probe\"\n");  // h3: 0, 1; late: 2, 3
  const auto& fits = planned.plan.fits;
  using Fates = std::vector<Fate>;
  REQUIRE(fates(planned.plan, {}, {}) ==
          Fates{Fate::to_do, Fate::shared, Fate::to_do, Fate::shared});
  REQUIRE(
      fates(planned.plan, {}, {{fits[0].key, FitStatus::ok}, {fits[2].key, FitStatus::failed}}) ==
      Fates{Fate::cached, Fate::cached, Fate::to_do, Fate::shared});
  REQUIRE(fates(planned.plan, {1, 2}, {}) ==
          Fates{Fate::to_do, Fate::shared, Fate::of_other_shard, Fate::of_other_shard});
}

}  // namespace tempo::test
