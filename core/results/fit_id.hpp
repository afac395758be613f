#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace tempo {

/// Where a cohort comes from.
enum class CohortOrigin {
  hypothesis,  ///< simulated from a hypothesis, or read with the truth of one
  real,        ///< participants of a clinic: nobody knows the truth
};

/// What FitId::trained_on says of a model that learned from every hypothesis.
inline constexpr const char* kAllHypotheses = "all";

/// Which fit it is: what results.csv says in front of its numbers.
struct FitId {
  std::vector<std::string> axis_values;  ///< of its point of the sweep, in the order of the axes
  CohortOrigin origin = CohortOrigin::hypothesis;
  std::string hypothesis;  ///< id of the one that the cohort is of; empty for a real cohort
  std::size_t cohort = 0;  ///< number; of a real cohort 0 is itself, 1, 2, ... are its replicates
  std::string method;      ///< id
  /// Id of the hypothesis that the method's model learned from, or kAllHypotheses; empty for a
  /// method that is not trained.
  std::string trained_on;
  /// Id of the hypothesis that a method took for true of a real cohort; empty for methods that
  /// assume none, and where cohorts are of a hypothesis (it is theirs).
  std::string assumed;
  /// What the method does with the diagnosis, as results.csv has it: none, fit or infer; of scores
  /// from elsewhere whatever their file says.
  std::string labels;

  bool is_real() const { return origin == CohortOrigin::real; }
  /// Whether the cohort consists of participants of a real one, drawn anew.
  bool is_replicate() const { return is_real() && cohort > 0; }
  /// Whether the method learned from the hypothesis.
  bool is_trained() const { return !trained_on.empty(); }

  auto operator<=>(const FitId&) const = default;
};

/// The cohort's hypothesis as tables and results.csv call it; `real` for a real cohort.
std::string generated_by(const FitId& id);
/// Column `trained_on` of results.csv: the hypothesis that the fit rests on, learned from or taken
/// for true; empty for neither.
const std::string& rests_on(const FitId& id);
/// What generated_by says of real cohorts.
inline constexpr const char* kRealCohort = "real";

}  // namespace tempo
