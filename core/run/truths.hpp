#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "results/store.hpp"
#include "run/runner.hpp"
#include "study/plan.hpp"

namespace tempo {

/// Gathers the truths of the cohorts that fits are made of, each once. Thread-safe.
class Truths {
 public:
  /// @param known  keys of those that are kept already
  explicit Truths(std::set<std::string> known) : known_(std::move(known)) {}

  /// @param fit     one that is planned, of a cohort with a truth
  void note(const PlannedFit& fit, const SimulatedCohort& cohort);
  /// Those that have come since the last call.
  std::vector<StoredTruth> take();

 private:
  std::mutex mutex_;
  std::set<std::string> known_;
  std::vector<StoredTruth> found_;
};

/// Draws or reads again the cohorts of a shard whose truth the store lacks, as earlier versions
/// kept none, and keeps their truths. Cohorts that cannot be made are left out: their fits say why.
/// Ends when it is asked to stop.
void keep_missing_truths(const Study& study, const Plan& plan, const RunOptions& options,
                         Store& store);

}  // namespace tempo
