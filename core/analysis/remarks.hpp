#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "results/fit_result.hpp"

namespace tempo {

/// A text that was said of fits. What is in the data is said by every method that is given them.
struct Remark {
  std::string text;
  std::set<std::string> methods;  ///< ids of those that gave it
  std::size_t fits = 0;           ///< but for those of replicates
  std::size_t replicates = 0;     ///< fits of resampled participants
  FitId first;
  FitStatus status = FitStatus::ok;  ///< of the first
};

/// What was said of fits: each text once, in the order of first mention. Memory grows with the
/// number of distinct texts.
class Remarks {
 public:
  void add(const FitId& fit, const std::string& text, FitStatus status);
  const std::vector<Remark>& all() const { return remarks_; }

 private:
  std::vector<Remark> remarks_;
  std::unordered_map<std::string, std::size_t> place_of_;  // by text
};

/// The errors of fits that failed.
Remarks failures_of(const RunResults& results);

/// Which warnings are collected.
enum class WarningScope {
  all,
  /// Not how many measurements a replicate lacks: each lacks another number, and that of the cohort
  /// itself says it.
  without_gaps_of_replicates,
};
Remarks warnings_of(const RunResults& results, WarningScope scope);

}  // namespace tempo
