#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/fitted_cohorts.hpp"
#include "tempo/matrix.hpp"

namespace tempo {

/// How often each biomarker takes each place.
struct PositionalVariance {
  enum class Source { fits, posterior, replicates };
  Source source = Source::fits;
  std::optional<std::size_t> fit = {};      ///< absent: across fits
  std::size_t count = 0;                    ///< fits or replicates; 0 for a posterior
  std::optional<std::size_t> subtype = {};  ///< from 0 on: of that progression of the fit alone
  Matrix shares = {};  ///< [B, B] biomarker by place, rows sum to 1; ties share their places
};
/// Across the fits that count first, then within each fit that has a posterior, of each of its
/// subtypes that has one, and over replicates.
std::vector<PositionalVariance> positional_variance(const FittedCohort& cohort);

}  // namespace tempo
