#pragma once

#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "results/fit_result.hpp"

namespace tempo {

/// What is kept of a cohort's truth.
/// @param key  PlannedFit::cohort_key
StoredTruth stored_truth(const std::string& key, const SimulatedCohort& cohort);

/// Gathers the truths of the cohorts that fits are made of, each once. Thread-safe.
class Truths {
 public:
  /// @param known  keys of those that are kept already
  explicit Truths(std::set<std::string> known) : known_(std::move(known)) {}

  /// Whether whoever makes the fit is to hand over the truth of its cohort; of each cohort one is.
  bool asks(const PlannedFit& fit);
  /// Takes what was handed over with a fit that `asks` asked; another is asked if nothing was.
  void take_from(FitRecord& record, const PlannedFit& fit);
  /// Those that have come since the last call.
  std::vector<StoredTruth> take();

 private:
  std::mutex mutex_;
  std::set<std::string> known_;
  std::vector<StoredTruth> found_;
};

}  // namespace tempo
