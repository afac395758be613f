#pragma once

#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "study/plan.hpp"

namespace tempo {

/// Gives the cohort of a task: simulated from its own stream, read from its files, or the real one
/// or a replicate of it, without any truth. Thread-safe; the last few cohorts are kept, as the
/// methods of a cohort come one after the other. One that is being made is waited for.
class CohortSource {
 public:
  /// @param keep how many cohorts to keep at most: the number of threads is enough.
  CohortSource(const Study& study, const Plan& plan, std::size_t keep)
      : study_(study), plan_(plan), keep_(keep) {}

  /// @throws PluginError, InputError (a faulty file)
  std::shared_ptr<const SimulatedCohort> get(const FitTask& task);

 private:
  struct Kept {
    std::size_t point, group, cohort;
    std::shared_future<std::shared_ptr<const SimulatedCohort>> value;
  };
  std::shared_ptr<const SimulatedCohort> make(const FitTask& task) const;

  const Study& study_;
  const Plan& plan_;
  std::size_t keep_;
  std::mutex mutex_;
  std::list<Kept> kept_;
};

/// Reads the files of every cohort that is needed, so that faults come before any work.
/// @param is_needed says of a position in the plan whether its fit needs its cohort.
/// @throws InputError with the faults of all files.
void check_cohort_files(const Study& study, const Plan& plan,
                        const std::function<bool(std::size_t)>& is_needed);

/// Whom replicate `number` of a real cohort consists of: as many healthy and as many diseased
/// participants as the cohort has, each drawn from its group with replacement; [J], the group of
/// place j is that of participant j. A pure function of seed and number.
std::vector<std::size_t> drawn_participants(const Cohort& cohort, std::uint64_t seed,
                                            std::size_t number);

/// The stream of a test cohort: a pure function of seed, hypothesis and number.
RandomStream cohort_stream(std::uint64_t seed, const std::string& hypothesis, std::size_t number);

}  // namespace tempo
