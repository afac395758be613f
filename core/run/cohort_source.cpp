#include "run/cohort_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "data/names.hpp"
#include "data/table/oddities.hpp"
#include "results/fit_id.hpp"

namespace tempo {

RandomStream cohort_stream(std::uint64_t seed, const std::string& hypothesis, std::size_t number) {
  return RandomStream(seed, "test cohort", hypothesis, number);
}

std::vector<std::size_t> drawn_participants(const Cohort& cohort, std::uint64_t seed,
                                            std::size_t number) {
  std::array<std::vector<std::size_t>, 2> groups;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    groups[cohort.diseased[j]].push_back(j);
  RandomStream stream(seed, "bootstrap", kRealCohort, number);
  std::vector<std::size_t> drawn;
  for (const auto is_diseased : cohort.diseased) {
    const auto& group = groups[is_diseased];
    drawn.push_back(group[stream.index(group.size())]);
  }
  return drawn;
}

namespace {

/// The real cohort, or with a number above 0 a replicate. A participant may be drawn twice, but an
/// id may occur once: the ids of a replicate are places.
Cohort real_or_replicate(const Experiment& experiment, std::size_t number) {
  const auto& cohort = experiment.real_cohort()->real->table.cohort;
  if (number == 0) return cohort;
  const auto drawn = drawn_participants(cohort, experiment.seed, number);
  Cohort out;
  out.biomarkers = cohort.biomarkers;
  out.diseased = cohort.diseased;
  out.measurements = Matrix(drawn.size(), cohort.biomarker_count());
  for (std::size_t j = 0; j < drawn.size(); ++j) {
    out.participants.push_back(std::to_string(j));
    if (!cohort.diagnoses.empty()) out.diagnoses.push_back(cohort.diagnoses[drawn[j]]);
    const auto row = cohort.measurements.row(drawn[j]);
    std::copy(row.begin(), row.end(), out.measurements.row(j).begin());
  }
  return out;
}

}  // namespace

std::shared_ptr<const SimulatedCohort> CohortSource::get(const FitTask& task) {
  const auto is_task = [&](const Kept& kept) {
    return kept.point == task.point && kept.group == task.group && kept.cohort == task.cohort;
  };
  std::packaged_task<std::shared_ptr<const SimulatedCohort>()> work([&] { return make(task); });
  const auto made = work.get_future().share();
  {
    std::unique_lock lock(mutex_);
    if (const auto found = std::find_if(kept_.begin(), kept_.end(), is_task);
        found != kept_.end()) {
      const auto value = found->value;
      lock.unlock();
      return value.get();
    }
    kept_.push_back({task.point, task.group, task.cohort, made});
    if (kept_.size() > keep_) kept_.pop_front();
  }
  work();
  return made.get();
}

std::shared_ptr<const SimulatedCohort> CohortSource::make(const FitTask& task) const {
  const auto& experiment = study_.points[task.point];
  const auto& group = experiment.groups[task.group];
  const auto number = group.numbers[task.cohort];
  if (group.is_real())
    return std::make_shared<SimulatedCohort>(
        SimulatedCohort{real_or_replicate(experiment, number), {}});
  if (!group.files.empty()) {
    Problems problems;
    const auto read = plan_.files->read(group.files[task.cohort], problems);
    problems.throw_if_any();
    return std::make_shared<SimulatedCohort>(SimulatedCohort{read->cohort, read->truth});
  }
  const auto& process = plan_.objects[task.point].processes[*group.hypothesis];
  auto stream = cohort_stream(experiment.seed, experiment.name_of(group), number);
  return std::make_shared<SimulatedCohort>(
      process->simulate(experiment.simulation()->size, stream));
}

namespace {

/// Complains of a file whose biomarkers are not those of the table that its models are trained
/// with.
void check_names(const std::filesystem::path& file, const std::vector<std::string>& names,
                 const Simulation& simulation, Problems& problems) {
  const auto table = simulation.biomarkers.names();
  const auto without = [](const std::vector<std::string>& all,
                          const std::vector<std::string>& some) {
    std::vector<std::string> rest;
    for (const auto& name : all)
      if (std::find(some.begin(), some.end(), name) == some.end()) rest.push_back(name);
    return rest;
  };
  const auto missing = without(table, names);
  const auto extra = without(names, table);
  if (missing.empty() && extra.empty()) return;
  std::string text = fmt::format(
      "has other biomarkers than '{}', the table that models are trained with:", simulation.name);
  if (!missing.empty()) text += fmt::format(" it lacks {}", fmt::join(missing, ", "));
  if (!extra.empty())
    text +=
        fmt::format("{} it has {} besides", missing.empty() ? "" : " and", fmt::join(extra, ", "));
  problems.add({file.string()}, text);
}

/// Says which cohorts have a truth beside this file's, but no file.
void note_absent_cohorts(const PublicDataset& file, PublicCohortReader& files,
                         std::vector<std::string>& notes) {
  const auto absent = files.absent_beside(file);
  if (!absent.empty())
    notes.push_back(fmt::format("{} has the truth of {} without a CSV beside it: {}",
                                truth_file(file).string(), counted(absent.size(), "cohort"),
                                in_short(absent)));
}

}  // namespace

std::vector<std::string> check_cohort_files(const Study& study, const Plan& plan,
                                            const std::function<bool(std::size_t)>& is_needed) {
  Problems problems;
  std::set<std::filesystem::path> truths;
  std::vector<std::string> notes;
  std::map<std::filesystem::path, std::vector<std::string>> names;  // of biomarkers, per file read
  std::set<std::pair<std::filesystem::path, std::size_t>> with_model;  // and point
  for (std::size_t position = 0; position < plan.tasks.size(); ++position) {
    const auto& task = plan.tasks[position];
    const auto& experiment = study.points[task.point];
    const auto& group = experiment.groups[task.group];
    if (group.files.empty() || !is_needed(position)) continue;
    const auto& file = group.files[task.cohort];
    const auto [known, is_new] = names.try_emplace(file.csv);
    if (is_new) {
      const auto read = plan.files->read(file, problems);
      known->second = read->cohort.biomarkers;
      for (const auto& code : possible_codes(read->cohort, kCodesAreLeftEmpty))
        notes.push_back(fmt::format("{}: {}", file.csv.string(), code));
    }
    if (is_new && truths.insert(truth_file(file)).second)
      note_absent_cohorts(file, *plan.files, notes);
    const bool is_readable = !known->second.empty();
    if (task.training && is_readable && with_model.emplace(file.csv, task.point).second)
      check_names(file.csv, known->second, *experiment.simulation(), problems);
  }
  problems.throw_if_any();
  return notes;
}

}  // namespace tempo
