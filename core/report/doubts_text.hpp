#pragma once

#include <string>
#include <vector>

#include "analysis/counted_fits.hpp"
#include "analysis/fitted_cohorts.hpp"
#include "analysis/timeline.hpp"

namespace tempo {

/// Reasons to trust a fit less than others, a few words each: that the evidence refutes its
/// hypothesis, then the fit's own doubts.
std::vector<std::string> doubts_of(const FittedCohort& cohort, const CohortFit& fit);

/// `METHOD on h1 is in doubt: its chains disagree ...`, one for each of the fit's doubts.
std::vector<std::string> doubts_in_sentences(const FittedCohort& cohort, const CohortFit& fit);

/// What is said over fits leaves some out: how many, which and why, a line each. Then the
/// methods whose evidence refutes nothing. Empty if there is nothing to say.
std::vector<std::string> counting_in_words(const FittedCohort& cohort);

/// Methods of one plugin that disagree, a line each; only of fits that are there.
std::vector<std::string> disagreements_in_words(const FittedCohort& cohort);

/// What is said of FittedCohort::not_separating, after their names.
extern const char* const kNotSeparating;

/// The end of a sentence on several fits.
std::string in_words(LeftOut::Why why);

}  // namespace tempo
