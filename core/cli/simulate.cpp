// tempo simulate: write an experiment's cohorts in the public layout.

#include <fmt/format.h>

#include <iostream>

#include "cli/study_options.hpp"
#include "data/names.hpp"
#include "data/public_cohort_writer.hpp"
#include "run/cohort_source.hpp"

namespace tempo::cli {
namespace {

void add_options(Options& options) {
  add_study_options(options);
  options.text("out", "FOLDER", "where the cohorts go: a folder per hypothesis (required)");
  options.positional("EXPERIMENT");
}

/// @throws InputError
void check(const Options& options) {
  Problems problems;
  expect_given(options, "out", "FOLDER", problems);
  problems.throw_if_any();
}

/// @throws InputError if the study reads its cohorts.
void expect_simulated(const Options& options, const Study& study) {
  const auto& first = study.points.front();
  Problems problems;
  if (!first.simulates_cohorts())
    problems.add({options.argument("EXPERIMENT")},
                 fmt::format("[cohorts] source = \"{}\" has nothing to simulate",
                             first.has_real_cohort() ? "table" : "folder"));
  problems.throw_if_any();
}

/// Writes the cohorts of one hypothesis at one point. @return how many
std::size_t write_cohorts(const Experiment& experiment, const CohortGroup& group,
                          const GenerativeProcess& process, const std::filesystem::path& folder) {
  const auto& id = experiment.hypotheses[*group.hypothesis].id;
  const auto& size = experiment.simulation()->size;
  PublicCohortWriter writer(folder, id, size.healthy_ratio);
  for (const auto number : group.numbers) {
    auto stream = cohort_stream(experiment.seed, id, number);
    const auto [cohort, truth] = process.simulate(size, stream);
    writer.add(number, cohort, truth);
  }
  writer.finish();
  std::cout << writer.folder().string() << ": " << counted(group.numbers.size(), "cohort") << " of "
            << id << "\n";
  return group.numbers.size();
}

/// `out/point2: cohorts.participants=300`
void print_point(const Study& study, const Experiment& experiment,
                 const std::filesystem::path& folder) {
  std::cout << folder.string() << ":";
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
    std::cout << " " << study.axes[axis] << "=" << experiment.axis_values[axis];
  std::cout << "\n";
}

int simulate(const Options& options) {
  check(options);
  const auto registry = open_registry(options);
  const auto study = open_study(options, registry);
  expect_simulated(options, study);
  const auto plan = make_plan(study, registry);
  const auto out = options.path("out");
  std::size_t written = 0;
  for (std::size_t point = 0; point < study.points.size(); ++point) {
    const auto& experiment = study.points[point];
    const auto folder = study.points.size() == 1 ? out : out / fmt::format("point{}", point + 1);
    if (study.points.size() > 1) print_point(study, experiment, folder);
    for (const auto& group : experiment.groups)
      written += write_cohorts(experiment, group, *plan.objects[point].processes[*group.hypothesis],
                               folder);
  }
  std::cout << counted(written, "cohort") << " written\n";
  return kOk;
}

}  // namespace

const Command simulate_command{
    "simulate",
    "EXPERIMENT.toml --out FOLDER [options]",
    "write an experiment's cohorts in the public layout",
    {{"tempo simulate experiments/quickstart.toml --out cohorts", "a folder for each hypothesis"},
     {"tempo simulate experiments/quickstart.toml --set cohorts.test=1 --out one",
      "one cohort for each hypothesis"}},
    add_options,
    simulate};

}  // namespace tempo::cli
