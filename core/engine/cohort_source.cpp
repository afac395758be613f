#include "engine/cohort_source.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "data/public_cohorts.hpp"

namespace tempo {

RandomStream cohort_stream(std::uint64_t seed, const std::string& hypothesis, std::size_t number) {
  return RandomStream(seed, "test cohort", hypothesis, number);
}

std::shared_ptr<const SimulatedCohort> CohortSource::get(const FitTask& task) {
  const auto is_task = [&](const Kept& kept) {
    return kept.point == task.point && kept.hypothesis == task.hypothesis &&
           kept.cohort == task.cohort;
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
    kept_.push_back({task.point, task.hypothesis, task.cohort, made});
    if (kept_.size() > keep_) kept_.pop_front();
  }
  work();
  return made.get();
}

std::shared_ptr<const SimulatedCohort> CohortSource::make(const FitTask& task) const {
  const auto& experiment = study_.points[task.point];
  const auto& hypothesis = experiment.hypotheses[task.hypothesis];
  if (const auto* process = plan_.objects[task.point].processes[task.hypothesis].get()) {
    auto stream = cohort_stream(experiment.seed, hypothesis.id, hypothesis.cohorts[task.cohort]);
    return std::make_shared<SimulatedCohort>(process->simulate(experiment.cohorts.size, stream));
  }
  Problems problems;
  auto read = read_public_cohort(hypothesis.files[task.cohort], problems);
  problems.throw_if_any();
  return std::make_shared<SimulatedCohort>(
      SimulatedCohort{std::move(read.cohort), std::move(read.truth)});
}

void check_cohort_files(const Study& study, const Plan& plan,
                        const std::function<bool(std::size_t)>& is_needed) {
  Problems problems;
  std::set<std::filesystem::path> checked;
  for (std::size_t position = 0; position < plan.tasks.size(); ++position) {
    const auto& task = plan.tasks[position];
    const auto& hypothesis = study.points[task.point].hypotheses[task.hypothesis];
    if (hypothesis.files.empty() || !is_needed(position)) continue;
    const auto& file = hypothesis.files[task.cohort];
    if (checked.insert(file.csv).second) read_public_cohort(file, problems);
  }
  problems.throw_if_any();
}

}  // namespace tempo
