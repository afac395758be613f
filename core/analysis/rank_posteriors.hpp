#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/store.hpp"
#include "tempo/matrix.hpp"

namespace tempo {

/// What a fit of a cohort with a truth believes of the order.
struct RankPosterior {
  FitId id;
  std::vector<std::string> doubts;      ///< reasons to trust the fit less, a few words each
  std::vector<std::string> biomarkers;  ///< [B]
  std::vector<std::size_t> true_ranks;  ///< [B]; empty in runs of versions that kept none
  Matrix posterior;                     ///< [B, B] P(biomarker b has rank r + 1)
};
/// Of each point of the sweep, hypothesis, method and model (if it counts: is_in_distribution) the
/// first fit that went well, if it has such a posterior. Fits of real cohorts are left to
/// fitted_cohorts.
std::vector<RankPosterior> first_rank_posteriors(Store& store);

}  // namespace tempo
