#pragma once

#include <cstddef>

#include "run/cohort_source.hpp"
#include "run/models.hpp"
#include "study/plan.hpp"

namespace tempo {

class Truths;

/// Makes fits of a plan. Thread-safe.
class FitMaker {
 public:
  /// @param threads  that make fits at a time: as many cohorts are kept
  /// @param truths   gets those of the cohorts; may be null
  FitMaker(const Study& study, const Plan& plan, Models& models, std::size_t threads,
           Truths* truths = nullptr)
      : study_(study),
        plan_(plan),
        models_(models),
        source_(study, plan, threads),
        truths_(truths) {}

  /// The fit of a position in the plan. Whatever goes wrong becomes a failed record; a method that
  /// gave up since tempo was asked to stop leaves a pending one.
  FitRecord make(std::size_t position);

 private:
  const Study& study_;
  const Plan& plan_;
  Models& models_;
  CohortSource source_;
  Truths* truths_;
};

}  // namespace tempo
