// A whole experiment with shipped plugins and methods of the tests, beside a biomarker table and a
// real cohort.

#include "study/experiment.hpp"

#include <string>

#include "data/toml_table.hpp"
#include "small_experiment.hpp"
#include "study/overrides.hpp"
#include "target.hpp"

namespace tempo::fuzz {
namespace {

/// A folder of the plugins that an experiment of the corpus names. `external` is not among them: it
/// would start the programs that an input names.
const Registry& harmless_plugins() {
  static const Registry registry = [] {
    const auto folder = scratch() / "plugins";
    std::filesystem::create_directory(folder);
    for (const std::string id : {"h1", "h3", "h6", "composed", "dirichlet_multinomial", "uniform",
                                 "beta", "ebm_normal", "ebm_non_normal", "sigmoid", "chance"}) {
      const auto library = id + ".so";
      std::filesystem::create_symlink(std::filesystem::path(TEMPO_FUZZ_PLUGINS) / library,
                                      folder / library);
    }
    return Registry({{folder, "fuzzing", true, true}, {TEMPO_FUZZ_METHODS, "fuzzing", true, true}});
  }();
  return registry;
}

/// What experiments of the corpus name.
void make_neighbours() {
  static const bool are_made = [] {
    scratch_file("five.toml", test::kTable);
    scratch_file("cohort.csv",
                 "participant,biomarker,measurement,diseased\n"
                 "p,a,1,1\np,b,2,1\nq,a,3,1\nq,b,4,1\nr,a,0.5,0\nr,b,1.5,0\ns,a,0,0\ns,b,1,0\n");
    return true;
  }();
  expect(are_made, "neighbours are made");
}

void read_experiment_input(std::string_view text) {
  make_neighbours();
  Problems problems;
  const auto table = read_toml_text(text, "input.toml", problems);
  if (!problems.empty()) return expect_clear(problems);
  const auto file = scratch() / "input.toml";
  const auto study = study_from(table, file, {}, harmless_plugins(), problems);
  expect_clear(problems);
  if (!problems.empty()) return;
  expect(!study.points.empty() && study.points.size() <= kMostPoints, "a study has points");
  const auto lock = read_toml_text(to_toml(study.lock), "lock.toml", problems);
  expect(problems.empty(), "a lock file is TOML");
  study_from(lock, file, {}, harmless_plugins(), problems);
  expect(problems.empty(), "a lock file is read without faults");
}

const Added kExperimentTarget("experiment", read_experiment_input);

}  // namespace
}  // namespace tempo::fuzz
