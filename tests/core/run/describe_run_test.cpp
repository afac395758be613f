#include "run/describe_run.hpp"

#include <algorithm>

#include "data/content_key.hpp"
#include "planned_study.hpp"

namespace tempo::test {
namespace {

const std::string kAll = edited("[cohorts]", "[experiment]\ndescription = \"why\"\n[cohorts]") +
                         "[[method]]\nplugin = \"assuming_probe\"\n"
                         "[[method]]\nplugin = \"bayes\"\nparameters = \"sample\"\n"
                         "[[hypothesis]]\nplugin = \"h8\"\n";

}  // namespace

TEST_CASE("a run says what it was", "[run][description]") {
  const PlannedStudy planned(kAll);
  const auto run = describe_run(planned.study, planned.plan, with_assuming_probes());
  REQUIRE(run.description == "why");
  REQUIRE(run.seed == 7);
  REQUIRE(run.limit == "assuming_probe");
  REQUIRE(run.cohorts.source == RunDescription::Cohorts::Source::simulate);
  REQUIRE(run.cohorts.biomarkers == "five.toml");
  REQUIRE(run.cohorts.participants == 60);
  REQUIRE(run.cohorts.healthy_ratio == 0.21);
  SECTION("with what its hypotheses assume") {
    REQUIRE(run.hypotheses.size() == 3);
    const auto& late = run.hypotheses[1];
    REQUIRE(late.id == "late");
    REQUIRE(late.plugin == "composed");
    REQUIRE(late.event_times == "ranks");
    REQUIRE(late.events == EventScale::ranks);
    REQUIRE(late.stages == "beta");
    REQUIRE(late.measurements == "ebm_normal");
    REQUIRE(late.measures_normals == true);
    REQUIRE(run.hypotheses[2].events == EventScale::times);
    REQUIRE(run.hypotheses[2].measures_normals == false);
  }
  SECTION("with how its methods come by distributions") {
    REQUIRE(run.methods[0].id == "probe");
    REQUIRE_FALSE(run.methods[0].distributions);
    REQUIRE(run.methods[2].distributions == Distributions::sampled);
  }
  SECTION("with the libraries that make its numbers") {
    const auto probe = std::find_if(run.plugins.begin(), run.plugins.end(),
                                    [](const auto& plugin) { return plugin.id == "probe"; });
    REQUIRE(probe != run.plugins.end());
    REQUIRE(probe->kind == "method");
    REQUIRE(probe->version == "1.0.0");
    REQUIRE(probe->file == "probe.so");  // no folder of this machine
    REQUIRE(probe->content == file_key(std::filesystem::path(TEMPO_PROBES) / "probe.so"));
  }
}

TEST_CASE("a stored plan has the libraries of every plugin that its fits name",
          "[run][description]") {
  const PlannedStudy planned(kAll + "[[method]]\nplugin = \"learner\"\ntrain_on = [\"late\"]\n");
  const auto run = describe_run(planned.study, planned.plan, with_assuming_probes());
  const auto plan = stored_plan(planned.study, planned.plan, run);
  REQUIRE(plan.name == "e");
  REQUIRE(plan.fits.size() == planned.plan.fits.size());
  for (const auto& fit : plan.fits) {
    REQUIRE_FALSE(fit.plugins.empty());
    for (const auto& plugin : fit.plugins) {
      INFO(plugin);
      REQUIRE(plan.libraries.contains(plugin));
    }
  }
  // A model that is applied is as good as the code that it learned from.
  const auto trained = std::find_if(plan.fits.begin(), plan.fits.end(), [](const PlannedFit& fit) {
    return fit.id.method == "learner" && fit.id.hypothesis == "h3";
  });
  REQUIRE(trained->model == planned.plan.trainings.front().key);
  for (const auto* plugin : {"hypothesis h3", "hypothesis composed", "stage_prior beta",
                             "measurement_model ebm_normal", "trainable_method learner"}) {
    INFO(plugin);
    REQUIRE(std::count(trained->plugins.begin(), trained->plugins.end(), plugin) == 1);
  }
}

}  // namespace tempo::test
