#include "run/fit_maker.hpp"

#include <exception>

#include "run/fit.hpp"
#include "run/truths.hpp"

namespace tempo {

FitRecord FitMaker::make(std::size_t position) {
  const auto& task = plan_.tasks[position];
  const auto& experiment = study_.points[task.point];
  const auto& group = experiment.groups[task.group];
  try {
    const auto& method =
        task.training ? models_.get(*task.training) : plan_.objects[task.point].method_for(task);
    const auto cohort = source_.get(task);
    if (truths_ != nullptr) truths_->note(plan_.fits[position], *cohort);
    return fit_and_score(method, experiment.methods[task.method], *cohort, experiment,
                         experiment.name_of(group), group.numbers[task.cohort]);
  } catch (const std::exception& error) {
    return failed_fit(error.what(), 0.0);
  }
}

}  // namespace tempo
