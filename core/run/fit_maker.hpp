#pragma once

#include <cstddef>

#include "run/cohort_source.hpp"
#include "run/models.hpp"
#include "study/plan.hpp"

namespace tempo {

/// Makes fits of a plan. Thread-safe.
class FitMaker {
 public:
  /// @param threads  that make fits at a time: as many cohorts are kept
  FitMaker(const Study& study, const Plan& plan, Models& models, std::size_t threads)
      : study_(study), plan_(plan), models_(models), source_(study, plan, threads) {}

  /// The fit of a position in the plan. Whatever goes wrong becomes a failed record; a method that
  /// gave up since tempo was asked to stop leaves a pending one.
  /// @param with_truth  whether the record is to have that of the cohort
  FitRecord make(std::size_t position, bool with_truth);

 private:
  const Study& study_;
  const Plan& plan_;
  Models& models_;
  CohortSource source_;
};

}  // namespace tempo
