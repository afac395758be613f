#pragma once

#include <future>
#include <list>
#include <memory>
#include <mutex>

#include "engine/plan.hpp"

namespace tempo {

/// Gives the cohort of a task: simulated from its own stream, or read from its files. Thread-safe;
/// the last few cohorts are kept, as the methods of a cohort come one after the other. One that is
/// being made is waited for.
class CohortSource {
 public:
  /// @param keep how many cohorts to keep at most: the number of threads is enough.
  CohortSource(const Study& study, const Plan& plan, std::size_t keep)
      : study_(study), plan_(plan), keep_(keep) {}

  /// @throws PluginError, InputError (a faulty file)
  std::shared_ptr<const SimulatedCohort> get(const FitTask& task);

 private:
  struct Kept {
    std::size_t point, hypothesis, cohort;
    std::shared_future<std::shared_ptr<const SimulatedCohort>> value;
  };
  std::shared_ptr<const SimulatedCohort> make(const FitTask& task) const;

  const Study& study_;
  const Plan& plan_;
  std::size_t keep_;
  std::mutex mutex_;
  std::list<Kept> kept_;
};

/// The stream of a test cohort: a pure function of seed, hypothesis and number.
RandomStream cohort_stream(std::uint64_t seed, const std::string& hypothesis, std::size_t number);

}  // namespace tempo
