#pragma once

// A study and its plan, made beside the small biomarker table.

#include "probes.hpp"
#include "small_experiment.hpp"
#include "study/plan.hpp"

namespace tempo::test {

struct PlannedStudy {
  explicit PlannedStudy(const std::string& text) {
    Problems problems;
    study = read_study(folder.write("e.toml", text), {}, with_assuming_probes(), problems);
    INFO(problems.report());
    REQUIRE(problems.empty());
    plan = make_plan(study, with_assuming_probes());
  }

  Workplace folder;
  Study study;
  Plan plan;
};

}  // namespace tempo::test
