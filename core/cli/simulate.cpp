// tempo simulate: write an experiment's cohorts in the public layout.

#include <fmt/format.h>

#include <iostream>

#include "cli/study_options.hpp"
#include "data/content_key.hpp"
#include "data/names.hpp"
#include "data/public_cohort_writer.hpp"
#include "data/public_truth.hpp"
#include "data/text_file.hpp"
#include "run/cohort_source.hpp"
#include "study/lock_file.hpp"

namespace tempo::cli {
namespace {

void add_simulate_options(Options& options) {
  add_study_options(options);
  options.text("out", "FOLDER", "where the cohorts go: a folder per hypothesis (required)");
  options.positional("EXPERIMENT");
}

/// @throws InputError
void check_simulate(const Options& options) {
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

/// The folders of a simulation, one for each point, which are not whole until all are.
class Folders {
 public:
  /// @throws Error if anything that is no part of the same simulation is in its way
  Folders(const Study& study, const Plan& plan, const std::filesystem::path& out)
      : goes_on_with_(content_key(lock_file(study, plan, "/")) + '\n') {
    for (std::size_t point = 0; point < study.points.size(); ++point)
      folders_.push_back(study.points.size() == 1 ? out : out / fmt::format("point{}", point + 1));
    // All marks are set before the first cohort is written.
    const bool is_new = !std::filesystem::exists(mark(0));
    for (std::size_t point = 0; is_new && point < folders_.size(); ++point)
      for (const auto& hypothesis : study.points[point].hypotheses)
        expect_no_cohorts(folders_[point], hypothesis.id);
    for (std::size_t point = folders_.size(); point-- > 0;) set_mark(point);
    goes_on_ = !is_new;
  }

  const std::filesystem::path& of_point(std::size_t point) const { return folders_[point]; }
  /// Whether it was begun before.
  bool goes_on() const { return goes_on_; }
  void finish() const {
    for (std::size_t point = folders_.size(); point-- > 0;) std::filesystem::remove(mark(point));
  }

 private:
  std::filesystem::path mark(std::size_t point) const { return folders_[point] / kUnfinishedMark; }

  void set_mark(std::size_t point) const {
    if (const auto text = text_if_there(mark(point)); text && *text != goes_on_with_)
      throw Error(
          fmt::format("'{}' holds a part of another simulation, which was not finished: give a new "
                      "folder, or remove this one",
                      folders_[point].string()));
    std::filesystem::create_directories(folders_[point]);
    write_text_file(mark(point), goes_on_with_);
  }

  std::string goes_on_with_;
  std::vector<std::filesystem::path> folders_;
  bool goes_on_ = false;
};

/// Writes the cohorts of one hypothesis at one point. @return how many
std::size_t write_cohorts(const Experiment& experiment, const CohortGroup& group,
                          const GenerativeProcess& process, const std::filesystem::path& folder,
                          bool goes_on) {
  const auto& id = experiment.hypotheses[*group.hypothesis].id;
  const auto& size = experiment.simulation()->size;
  PublicCohortWriter writer(
      folder, id, size.healthy_ratio,
      goes_on ? PublicCohortWriter::Before::part_of_the_same : PublicCohortWriter::Before::nothing);
  const auto in_words = counted(group.numbers.size(), "cohort") + " of " + id;
  if (std::filesystem::exists(writer.folder() / kTruthFileName)) {  // written last
    std::cout << writer.folder().string() << ": " << in_words << ", written before\n";
    return group.numbers.size();
  }
  for (const auto number : group.numbers) {
    auto stream = cohort_stream(experiment.seed, id, number);
    const auto [cohort, truth] = process.simulate(size, stream);
    writer.add(number, cohort, truth);
  }
  writer.finish();
  std::cout << writer.folder().string() << ": " << in_words << "\n";
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
  check_simulate(options);
  const auto registry = open_registry(options);
  const auto study = open_study(options, registry);
  expect_simulated(options, study);
  const auto plan = make_plan(study, registry);
  const Folders folders(study, plan, options.path("out"));
  std::size_t written = 0;
  for (std::size_t point = 0; point < study.points.size(); ++point) {
    const auto& experiment = study.points[point];
    const auto& folder = folders.of_point(point);
    if (study.points.size() > 1) print_point(study, experiment, folder);
    for (const auto& group : experiment.groups)
      written += write_cohorts(experiment, group, *plan.objects[point].processes[*group.hypothesis],
                               folder, folders.goes_on());
  }
  folders.finish();
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
    add_simulate_options,
    simulate};

}  // namespace tempo::cli
