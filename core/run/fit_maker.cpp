#include "run/fit_maker.hpp"

#include <exception>
#include <memory>
#include <utility>

#include "model/fault_text.hpp"
#include "run/fit.hpp"
#include "run/truths.hpp"
#include "tempo/error.hpp"

namespace tempo {

FitRecord FitMaker::make(std::size_t position, bool with_truth) {
  const auto& task = plan_.tasks[position];
  const auto& experiment = study_.points[task.point];
  const auto& group = experiment.groups[task.group];
  std::shared_ptr<const SimulatedCohort> cohort;
  FitRecord record;
  try {
    const auto& method =
        task.training ? models_.get(*task.training) : plan_.objects[task.point].method_for(task);
    cohort = source_.get(task);
    record = fit_and_score(method, experiment.methods[task.method], *cohort, experiment,
                           experiment.name_of(group), group.numbers[task.cohort]);
  } catch (const Stopped&) {
    return {};
  } catch (const std::exception& error) {
    record = failed_fit(fault_text(error), 0.0);
  }
  if (with_truth && cohort != nullptr)
    record.truth = stored_truth(plan_.fits[position].cohort_key, *cohort);
  return record;
}

}  // namespace tempo
