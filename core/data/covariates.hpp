#pragma once

#include <string>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/matrix.hpp"

namespace tempo {

/// The columns of a regression.
struct Covariates {
  std::vector<std::string> names;  ///< [P]; a categorical covariate has a column per further level
  Matrix values;                   ///< [J, P], none missing
};

/// What covariates explain of biomarkers among the healthy of a cohort.
struct Adjustment {
  std::vector<std::string> covariates;  ///< [P] as Covariates::names; none: nothing is adjusted
  std::vector<std::string> biomarkers;  ///< [B]
  Matrix slopes;  ///< [B, P] least squares coefficients, per unit of the covariate
  Matrix means;   ///< [B, P] of the covariate among the healthy with the biomarker
  /// [P] the least and the greatest value of a covariate among the healthy; empty where nobody kept
  /// them.
  std::vector<double> lows = {}, highs = {};
};

/// Of each biomarker by least squares among the healthy who have it. Patients play no part: what a
/// disease does with age is not to be taken away.
///
/// Solved by modified Gram-Schmidt on centred columns of unit length: P is a handful, so that no
/// library is called for, and neither units nor offsets of a covariate matter.
///
/// @param faults  gets a line per biomarker that cannot be adjusted: too few healthy participants
/// (P + 2 are
///   needed: one degree of freedom has to be left), or a covariate that is constant among them or
///   that others determine.
Adjustment fit_adjustment(const Cohort& cohort, const Covariates& covariates,
                          std::vector<std::string>& faults);

/// Takes it from everybody's values: x - (z - mean z) b, so that the mean of the healthy stays what
/// it was.
/// @param covariates  of the cohort's participants, named as the adjustment has them
/// @param adjustment  of this cohort or an earlier one; biomarkers that only one of them has are
/// left alone
void adjust(Cohort& cohort, const Covariates& covariates, const Adjustment& adjustment);

}  // namespace tempo
