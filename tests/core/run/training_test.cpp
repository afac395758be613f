// What models learn from, which models there are, and what makes them stale.

#include "run/training.hpp"

#include <algorithm>
#include <set>

#include "run/cohort_source.hpp"
#include "run/models.hpp"
#include "run/runner.hpp"
#include "small_experiment.hpp"

namespace tempo::test {
namespace {

using Purpose = TrainingCohorts::Purpose;
using Names = std::vector<std::string>;

const Registry& registry() {
  static const Registry all({{TEMPO_PROBES, "test", true}, {TEMPO_TEST_PLUGINS, "build", true}});
  return all;
}

const std::string kTrained = edited("plugin = \"probe\"", "plugin = \"learner\"");

struct Planned {
  explicit Planned(const std::string& text, const std::string& table = kTable,
                   const Registry& plugins = registry()) {
    folder.write("five.toml", table);
    Problems problems;
    study = read_study(folder.write("e.toml", text), {}, plugins, problems);
    INFO(problems.report());
    REQUIRE(problems.empty());
    plan = make_plan(study, plugins);
  }

  Names models() const {
    Names names;
    for (const auto& training : plan.trainings) names.push_back(name_of(study, training));
    return names;
  }
  /// The models that are not in another plan: what would have to be trained.
  Names not_in(const Planned& other) const {
    Names names;
    for (const auto& training : plan.trainings)
      if (std::none_of(other.plan.trainings.begin(), other.plan.trainings.end(),
                       [&](const Training& known) { return known.key == training.key; }))
        names.push_back(name_of(study, training));
    return names;
  }

  Workplace folder;
  Study study;
  Plan plan;
};

Names stale_after(const std::string& from, const std::string& to) {
  return Planned(edited(kTrained, from, to)).not_in(Planned(kTrained));
}

const Names kBoth{"learner on h3", "learner on late"};

/// The trained_on of the fits of one hypothesis's first cohort.
Names applied_to(const Planned& planned, const std::string& hypothesis) {
  Names names;
  for (const auto& fit : planned.plan.fits)
    if (fit.id.hypothesis == hypothesis && fit.id.cohort == 0) names.push_back(fit.id.trained_on);
  return names;
}

}  // namespace

TEST_CASE("training, validation and test cohorts never share a stream", "[engine][training]") {
  std::set<std::uint64_t> first_words;
  std::size_t count = 0;
  for (const std::string hypothesis : {"h1", "h2"})
    for (std::uint64_t number = 0; number < 1000; ++number)
      for (auto stream : {training_stream(7, Purpose::training, hypothesis, number),
                          training_stream(7, Purpose::validation, hypothesis, number),
                          cohort_stream(7, hypothesis, number)}) {
        first_words.insert(stream());
        ++count;
      }
  REQUIRE(first_words.size() == count);

  const auto process = shipped().hypothesis(part("h3"), plain_biomarkers(3));
  const CohortSize size{20, 0.5};
  const SimulatedTrainingCohorts cohorts(7, size, {{"h3", process.get()}});
  auto of_test = cohort_stream(7, "h3", 0);
  const auto test = process->simulate(size, of_test);
  REQUIRE(!(cohorts.draw(Purpose::training, 0) == test));
  REQUIRE(!(cohorts.draw(Purpose::validation, 0) == test));
  REQUIRE(!(cohorts.draw(Purpose::training, 0) == cohorts.draw(Purpose::validation, 0)));
  REQUIRE(cohorts.draw(Purpose::training, 0) == cohorts.draw(Purpose::training, 0));
}

TEST_CASE("several hypotheses take turns, each with the cohorts it would have alone",
          "[engine][training]") {
  const auto table = plain_biomarkers(3);
  const auto h3 = shipped().hypothesis(part("h3"), table);
  const auto h8 = shipped().hypothesis(part("h8"), table);
  const CohortSize size{20, 0.5};
  const SimulatedTrainingCohorts both(7, size, {{"h3", h3.get()}, {"h8", h8.get()}});
  const SimulatedTrainingCohorts first(7, size, {{"h3", h3.get()}});
  const SimulatedTrainingCohorts second(7, size, {{"h8", h8.get()}});
  REQUIRE(both.hypotheses() == Names{"h3", "h8"});
  REQUIRE(both.biomarkers() == table.names());
  for (const auto purpose : {Purpose::training, Purpose::validation})
    for (std::uint64_t number = 0; number < 3; ++number) {
      REQUIRE(both.draw(purpose, 2 * number) == first.draw(purpose, number));
      REQUIRE(both.draw(purpose, 2 * number + 1) == second.draw(purpose, number));
    }
}

TEST_CASE("train_on says which models there are; each is applied to every hypothesis",
          "[engine][training]") {
  const auto with = [](const std::string& train_on) {
    return Planned(kTrained + (train_on.empty() ? "" : "train_on = " + train_on + "\n"));
  };
  SECTION("each is the default") {
    const auto each = with("\"each\"");
    REQUIRE(each.models() == kBoth);
    REQUIRE(with("").not_in(each).empty());
    REQUIRE(applied_to(each, "h3") == Names{"h3", "late"});
    REQUIRE(applied_to(each, "late") == Names{"h3", "late"});
  }
  SECTION("a list") {
    const auto list = with("[\"late\"]");
    REQUIRE(list.models() == Names{"learner on late"});
    REQUIRE(list.not_in(with("")).empty());
    REQUIRE(applied_to(list, "h3") == Names{"late"});
  }
  SECTION("all") {
    const auto all = with("\"all\"");
    REQUIRE(all.models() == Names{"learner on all"});
    REQUIRE(training_cohorts(all.study, all.plan, all.plan.trainings[0]).hypotheses() ==
            Names{"h3", "late"});
    REQUIRE(applied_to(all, "late") == Names{"all"});
  }
}

TEST_CASE("what the weights depend on makes a model stale", "[engine][training]") {
  const auto [from, to, stale] = GENERATE(table<std::string, std::string, Names>({
      {"seed = 7", "seed = 8", kBoth},
      {"participants = 60", "participants = 61", kBoth},
      {"participants = 60", "participants = 60\nhealthy_ratio = 0.5", kBoth},
      {"plugin = \"learner\"", "plugin = \"learner\"\nepochs = 4", kBoth},
      {"alpha = 8.0", "alpha = 9.0", {"learner on late"}},
      {"id = \"late\"", "id = \"other\"", {"learner on other"}},
      {"plugin = \"learner\"", "plugin = \"learner\"\ntrain_on = \"all\"", {"learner on all"}},
  }));
  INFO(from << " -> " << to);
  REQUIRE(stale_after(from, to) == stale);
}

TEST_CASE("what no weight depends on leaves the models", "[engine][training]") {
  const auto [from, to] = GENERATE(table<std::string, std::string>({
      {"test = 3", "test = 4"},
      {"plugin = \"learner\"", "plugin = \"learner\"\ncolumn_order = \"truth\""},
      {"plugin = \"learner\"", "plugin = \"learner\"\nid = \"renamed\""},
      {"plugin = \"learner\"", "plugin = \"learner\"\nepochs = 3"},
      {"plugin = \"learner\"", "plugin = \"learner\"\ndevice = \"cpu\""},
      {"[[method]]", "[[method]]\nplugin = \"debm\"\n[[method]]"},
      {"[cohorts]", "[experiment]\nstage_posteriors = true\n[cohorts]"},
      {"[[hypothesis]]\nplugin = \"h3\"\n", ""},
  }));
  INFO(from << " -> " << to);
  REQUIRE(stale_after(from, to).empty());
}

TEST_CASE("the biomarker table and the plugin's version count, for models and what they give",
          "[engine][training]") {
  const Planned before(kTrained);
  const Planned table(kTrained, edited(kTable, "sd = 1.5", "sd = 1.6"));
  REQUIRE(table.not_in(before) == kBoth);
  const Registry later({{TEMPO_LATER_PROBES, "test", true}, {TEMPO_TEST_PLUGINS, "build", true}});
  const Planned version(kTrained, kTable, later);
  REQUIRE(version.not_in(before) == kBoth);
  for (std::size_t i = 0; i < before.plan.fits.size(); ++i)
    REQUIRE(version.plan.fits[i].key != before.plan.fits[i].key);
}

TEST_CASE("a sweep over what is no matter to a model trains it once", "[engine][training]") {
  const Planned swept(kTrained +
                      "[sweep]\n\"method.learner.column_order\" = [\"random\", \"truth\"]\n");
  REQUIRE(swept.plan.trainings.size() == 2);
  REQUIRE(swept.plan.fits.size() == 24);
  std::set<std::string> keys;
  for (const auto& fit : swept.plan.fits) keys.insert(fit.key);
  REQUIRE(keys.size() == 24);
}

TEST_CASE("a shard has the fits of the models it trains, and all shards have all",
          "[engine][training]") {
  const Planned planned(kTrained + "[[method]]\nplugin = \"probe\"\n");
  std::vector<std::size_t> times_run(planned.plan.fits.size());
  for (std::size_t index = 1; index <= 3; ++index) {
    const Shard shard{index, 3};
    const auto all = fates(planned.plan, shard, {});
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] == Fate::of_other_shard) continue;
      ++times_run[i];
      if (const auto& training = planned.plan.tasks[i].training)
        REQUIRE(shard.has_training(*training));
    }
  }
  REQUIRE(times_run == std::vector<std::size_t>(planned.plan.fits.size(), 1));
}

}  // namespace tempo::test
