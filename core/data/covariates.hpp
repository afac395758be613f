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

/// Takes from each biomarker what covariates explain of it among the healthy: with b the least
/// squares coefficients of the healthy who have the biomarker, x - (z - mean z) b, where the mean
/// is over the same participants, so that their mean stays what it was. Patients play no part: what
/// a disease does with age is not to be taken away.
///
/// Solved by modified Gram-Schmidt on centred columns of unit length: P is a handful, so that no
/// library is called for, and neither units nor offsets of a covariate matter.
///
/// @returns why a biomarker cannot be adjusted, one line each, and nothing else is done then: too
/// few
///   healthy participants (P + 2 are needed: one degree of freedom has to be left), or a covariate
///   that is constant among them or that others determine. Empty: done.
std::vector<std::string> adjust_for_covariates(Cohort& cohort, const Covariates& covariates);

}  // namespace tempo
