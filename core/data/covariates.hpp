#pragma once

#include <string>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/matrix.hpp"

namespace tempo {

/// The columns of a regression.
struct Covariates {
  std::vector<std::string> names;  ///< [P]; a categorical covariate has a column per further level
  Matrix values;                   ///< [J, P]; NaN, which fit_adjustment does not take: missing
};

/// What covariates explain of biomarkers among the healthy participants of a cohort.
struct Adjustment {
  std::vector<std::string> covariates;  ///< [P] as Covariates::names; empty: no adjustment
  std::vector<std::string> biomarkers;  ///< [B]
  Matrix slopes;  ///< [B, P] least squares coefficients, per unit of the covariate
  Matrix means;   ///< [B, P] of the covariate among the healthy with the biomarker
  /// [P] the least and the greatest value of a covariate among the healthy; empty where they were
  /// not stored.
  std::vector<double> lows = {}, highs = {};
};

/// Fits each biomarker by least squares among the healthy participants that have it. Patients are
/// not used, since the adjustment must not remove what the disease does with age.
///
/// The fit uses modified Gram-Schmidt on centred columns of unit length: P is small, so that no
/// library is needed, and the units and offsets of covariates do not matter.
///
/// @param faults  gets a line per biomarker that cannot be adjusted: there are too few healthy
///                participants (P + 2 are needed, which leaves one degree of freedom), or a
///                covariate is constant among them or determined by others
Adjustment fit_adjustment(const Cohort& cohort, const Covariates& covariates,
                          std::vector<std::string>& faults);

/// Adjusts all values: x - (z - mean z) b, which keeps the mean of the healthy. A covariate that is
/// missing is taken for that mean.
/// @param covariates  of the cohort's participants, with the names and order of the adjustment
/// @param adjustment  of this cohort or an earlier one; a biomarker that only one of them has is
/// not
///                    changed
void adjust(Cohort& cohort, const Covariates& covariates, const Adjustment& adjustment);

}  // namespace tempo
