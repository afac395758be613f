// tempo simulate: write an experiment's cohorts in the public layout.

#include <fmt/format.h>

#include <iostream>

#include "cli/command.hpp"
#include "data/public_cohort_writer.hpp"
#include "run/cohort_source.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace {

int simulate(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  add_study_options(options);
  options.add()("out", po::value<std::string>()->value_name("FOLDER"),
                "where the cohorts go: a folder per hypothesis (required)");
  options.positional("EXPERIMENT");
  options.parse(arguments);
  Problems problems;
  expect_out(command, options, problems);
  problems.throw_if_any();
  const auto registry = open_registry(options);
  const auto study = open_study(options, registry);
  if (study.points.front().cohorts.source != CohortSettings::Source::simulate)
    problems.add({options.list("EXPERIMENT").front()},
                 fmt::format("[cohorts] source = \"{}\" has nothing to simulate",
                             study.points.front().has_real_cohort() ? "table" : "folder"));
  problems.throw_if_any();

  const auto plan = make_plan(study, registry);
  const std::filesystem::path out = options.get<std::string>("out");
  std::size_t written = 0;
  for (std::size_t point = 0; point < study.points.size(); ++point) {
    const auto& experiment = study.points[point];
    const auto folder = study.points.size() == 1 ? out : out / fmt::format("point{}", point + 1);
    if (study.points.size() > 1) {
      std::string values;
      for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
        values += fmt::format(" {}={}", study.axes[axis], experiment.axis_values[axis]);
      std::cout << folder.string() << ":" << values << "\n";
    }
    for (std::size_t h = 0; h < experiment.hypotheses.size(); ++h) {
      const auto& hypothesis = experiment.hypotheses[h];
      PublicCohortWriter writer(folder, hypothesis.id, experiment.cohorts.size.healthy_ratio);
      for (const auto number : hypothesis.cohorts) {
        auto stream = cohort_stream(experiment.seed, hypothesis.id, number);
        const auto [cohort, truth] =
            plan.objects[point].processes[h]->simulate(experiment.cohorts.size, stream);
        writer.add(number, cohort, truth);
        ++written;
      }
      writer.finish();
      std::cout << writer.folder().string() << ": " << counted(hypothesis.cohorts.size(), "cohort")
                << " of " << hypothesis.id << "\n";
    }
  }
  std::cout << counted(written, "cohort") << " written\n";
  return kOk;
}

}  // namespace

const Command simulate_command{"simulate", "EXPERIMENT.toml --out FOLDER [options]",
                               "write an experiment's cohorts in the public layout", simulate};

}  // namespace tempo::cli
