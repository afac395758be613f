#pragma once

// A study and its plan, made beside the small biomarker table.

#include "small_experiment.hpp"
#include "study/plan.hpp"

namespace tempo::test {

inline const Registry& all_plugins() {
  static const Registry all({{TEMPO_PROBES, "test", true},
                             {TEMPO_ASSUMING_PROBES, "test", true},
                             {TEMPO_TEST_PLUGINS, "build", true}});
  return all;
}

struct PlannedStudy {
  explicit PlannedStudy(const std::string& text) {
    Problems problems;
    study = read_study(folder.write("e.toml", text), {}, all_plugins(), problems);
    INFO(problems.report());
    REQUIRE(problems.empty());
    plan = make_plan(study, all_plugins());
  }

  Workplace folder;
  Study study;
  Plan plan;
};

}  // namespace tempo::test
