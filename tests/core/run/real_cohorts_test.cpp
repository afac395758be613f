#include "run/real_cohorts.hpp"

#include <fmt/format.h>

#include "planned_study.hpp"
#include "run/cohort_source.hpp"

namespace tempo::test {
namespace {

/// A cohort of 40 in which b0 tells healthy from diseased and b1 does not.
std::string clinic() {
  std::string text = "participant,biomarker,measurement,diseased\n";
  for (int j = 0; j < 40; ++j) {
    const int wave = (7 * j) % 11;
    const bool diseased = j % 2 != 0;
    text += fmt::format("p{},b0,{},{}\n", j, wave + (diseased ? 40 : 0), diseased);
    text += fmt::format("p{},b1,{},{}\n", j, (5 * j) % 13, diseased);
  }
  return text;
}

struct Real : TemporaryFolder {
  Real() { write("clinic.csv", clinic()); }
  Study study(const std::string& more) const {
    Problems problems;
    auto out = read_study(write("e.toml",
                                "schema = 1\nseed = 7\n[cohorts]\nsource = \"table\"\n"
                                "path = \"clinic.csv\"\n" +
                                    more),
                          {}, with_assuming_probes(), problems);
    INFO(problems.report());
    REQUIRE(problems.empty());
    return out;
  }
};

const std::string kProbe = "[[method]]\nplugin = \"probe\"\n";

}  // namespace

TEST_CASE("a real cohort is kept with what does not separate in it", "[run][real]") {
  const Real folder;
  const auto study = folder.study(kProbe);
  const auto cohorts = stored_cohorts(study);
  REQUIRE(cohorts.size() == 1);
  REQUIRE(cohorts[0].name == "clinic.csv");  // as the experiment names it
  REQUIRE(cohorts[0].participants.size() == 40);
  REQUIRE(cohorts[0].biomarkers == std::vector<std::string>{"b0", "b1"});
  REQUIRE(cohorts[0].not_separating == std::vector<std::string>{"b1"});
  const auto content = cohort_content(study);
  REQUIRE(content);
  REQUIRE(content->cohort == study.points[0].real_cohort()->real->table.cohort);
  REQUIRE(content->distributions.size() == 0);
}

TEST_CASE("points of a sweep share one cohort that was read once", "[run][real]") {
  const Real folder;
  const auto study = folder.study(kProbe + "[sweep]\nseed = [1, 2]\n");
  REQUIRE(stored_cohorts(study).size() == 2);
  REQUIRE(stored_cohorts(study)[1].axis_values == std::vector<std::string>{"2"});
  REQUIRE(study.points[0].real_cohort()->real == study.points[1].real_cohort()->real);
  REQUIRE_FALSE(cohort_content(study));
}

TEST_CASE("simulated cohorts are no real ones", "[run][real]") {
  const PlannedStudy planned(kExperiment);
  REQUIRE(stored_cohorts(planned.study).empty());
  REQUIRE_FALSE(cohort_content(planned.study));
  REQUIRE_FALSE(planned.study.points[0].has_real_cohort());
}

TEST_CASE("a real cohort is a group of its own, beside the hypotheses", "[run][real]") {
  const Real folder;
  const auto study = folder.study(
      "biomarkers = \"estimate\"\n[[hypothesis]]\nplugin = \"h3\"\n" + kProbe +
      "[[method]]\nplugin = \"assuming_probe\"\nbootstrap = false\n[analysis]\nbootstrap = 2\n");
  const auto& experiment = study.points[0];
  REQUIRE(experiment.hypotheses.size() == 1);
  REQUIRE(experiment.groups.size() == 1);
  REQUIRE(experiment.groups[0].is_real());
  REQUIRE(experiment.groups[0].numbers == std::vector<std::size_t>{0, 1, 2});
  REQUIRE(experiment.name_of(experiment.groups[0]) == "real");
  const auto plan = make_plan(study, with_assuming_probes());
  REQUIRE(plan.fits.size() == 4);
  const auto& assuming = plan.fits[1].id;
  REQUIRE(assuming.is_real());
  REQUIRE(assuming.hypothesis.empty());
  REQUIRE(assuming.assumed == "h3");
  REQUIRE(assuming.trained_on.empty());
  REQUIRE(generated_by(assuming) == "real");
  CohortSource source(study, plan, 1);
  REQUIRE(source.get(plan.tasks[0])->cohort == experiment.real_cohort()->real->table.cohort);
  const auto replicate = source.get(plan.tasks[2]);
  REQUIRE(plan.fits[2].id.is_replicate());
  REQUIRE(replicate->cohort.diseased == experiment.real_cohort()->real->table.cohort.diseased);
  REQUIRE_FALSE(replicate->cohort == experiment.real_cohort()->real->table.cohort);
}

}  // namespace tempo::test
