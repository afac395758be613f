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
/// or a replicate of it, which have no truth. Thread-safe.
///
/// The last few cohorts are kept, since the methods of a cohort come one after the other. A thread
/// that asks for a cohort which another thread makes waits for it.
class CohortSource {
 public:
  /// @param keep  number of cohorts that are kept at most; the number of threads is enough
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

/// Reads the files of every cohort that is needed, so that faults are told before any work. The
/// cohorts stay in `plan.files` until a CohortSource takes them.
/// @param is_needed  tells of a position in the plan whether its fit needs its cohort
/// @return sentences: which cohorts have a truth but no file
/// @throws InputError with the faults of all files
std::vector<std::string> check_cohort_files(const Study& study, const Plan& plan,
                                            const std::function<bool(std::size_t)>& is_needed);

/// The participants of replicate `number` of a real cohort: as many healthy and as many diseased
/// ones as the cohort has, each drawn from its group with replacement. A pure function of seed and
/// number.
/// @return [J] indices of participants; that of place j is of the group of participant j
std::vector<std::size_t> drawn_participants(const Cohort& cohort, std::uint64_t seed,
                                            std::size_t number);

/// The stream of a test cohort: a pure function of seed, hypothesis and number.
RandomStream cohort_stream(std::uint64_t seed, const std::string& hypothesis, std::size_t number);

}  // namespace tempo
