#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/consensus.hpp"
#include "analysis/fitted_cohorts.hpp"
#include "analysis/spread.hpp"

namespace tempo {

/// Ranks of biomarkers by fit.
struct RankTable {
  std::vector<std::size_t> rows;           ///< biomarkers by mean rank; of equal ones by name
  std::vector<std::vector<double>> ranks;  ///< [fit][B], ties share the mean of their places
  std::vector<Spread> across;              ///< [B] over the fits that count
  std::vector<std::vector<std::optional<Within>>> posterior;   ///< [fit][B]
  std::vector<std::vector<std::optional<Within>>> replicates;  ///< [fit][B]
};
/// @param cohort  with at least one fit
RankTable rank_table(const FittedCohort& cohort);

/// Biomarkers by ascending mean; of equal ones by name.
std::vector<std::size_t> rows_by_mean(const std::vector<Spread>& means,
                                      const std::vector<std::string>& names);

/// Consensus orders of the fits that count (counted_fits).
struct ConsensusTable {
  Consensus borda;                 ///< its distances are to the fits that count, and so is the mean
  Consensus kemeny;                ///< likewise
  std::vector<double> mean_ranks;  ///< [B]
  std::vector<double> borda_distances;  ///< [fits], also of those that do not count
  std::vector<double> kemeny_distances;
};
/// @param cohort  with at least one fit
ConsensusTable consensus_table(const FittedCohort& cohort);

}  // namespace tempo
