#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/fitted_cohorts.hpp"

namespace tempo {

/// How alike two fits are.
struct Agreement {
  std::size_t first = 0, second = 0;  ///< fits, first < second
  std::optional<double> tau;          ///< of orders, Kendall's tau-b
  /// Of stages over the diseased. Methods that stage by the label have the healthy at 0, and would
  /// agree on them without any measurement.
  std::optional<double> spearman;
  std::optional<double> icc;  ///< of the same, absolute_agreement
};
std::vector<Agreement> agreement(const FittedCohort& cohort);  ///< of every pair

/// Fits of one plugin with other settings, under the same hypothesis, whose orders are farther
/// apart than kMostAgreeing.
std::vector<SettingsDisagreement> settings_disagreements(const FittedCohort& cohort,
                                                         const RunDescription& description);

}  // namespace tempo
