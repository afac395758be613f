#pragma once

#include <string>
#include <vector>

#include "analysis/fitted_cohorts.hpp"
#include "analysis/timeline.hpp"

namespace tempo {

/// `METHOD on h1 is in doubt: its chains disagree ...`, one for each of the fit's doubts.
std::vector<std::string> doubts_in_sentences(const CohortFit& fit);

/// What is said of FittedCohort::not_separating, after their names.
extern const char* const kNotSeparating;

/// The end of a sentence on several fits.
std::string in_words(LeftOut::Why why);

}  // namespace tempo
