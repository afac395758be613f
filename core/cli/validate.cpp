// tempo validate: check an experiment file and all it names; run nothing.

#include <iostream>

#include "cli/stated_laws.hpp"
#include "cli/study_options.hpp"

namespace tempo::cli {
namespace {

void add_validate_options(Options& options) {
  add_study_options(options);
  options.positional("EXPERIMENT");
}

int validate(const Options& options) {
  const auto registry = open_registry(options);
  const auto study = open_study(options, registry);
  const auto plan = make_plan(study, registry);  // the plugins can make their objects
  expect_right_laws(study, plan, registry);
  note_misfits(plan);
  read_cohort_files(study, plan, [](std::size_t) { return true; });
  std::cout << options.argument("EXPERIMENT") << ": ok: " << count_in_words(study, plan) << "\n";
  return kOk;
}

}  // namespace

const Command validate_command{
    "validate",
    "EXPERIMENT.toml [options]",
    "check an experiment file and all it names",
    {{"tempo validate experiments/quickstart.toml", "say what it is, or all that is wrong with it"},
     {"tempo validate experiments/quickstart.toml --set cohorts.test=50",
      "check a changed setting"}},
    add_validate_options,
    validate};

}  // namespace tempo::cli
