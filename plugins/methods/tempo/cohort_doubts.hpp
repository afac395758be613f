#pragma once

// Cohorts that a model's answer should not be believed for.

#include <cstddef>
#include <string>
#include <vector>

#include "samples.hpp"
#include "tempo/cohort.hpp"

namespace tempo::amortised {

/// What speaks against believing a model about this cohort, a sentence each: biomarkers and
/// participants without a value, groups without a participant, biomarkers unlike those of the
/// training cohorts. The rule for the last, m and s being mean and standard deviation there:
///
/// - with ten values or more, their median is over 4 s from m; or median and m have different
///   signs, each over s/2 from 0 and over 1.5 s from each other; or the standard deviation of the
///   cohort is over 8 s or below s/50;
/// - a value is over 25 s from m; or several values are all the same.
///
/// Chosen on simulated cohorts of 60 to 726 participants, each of the nine hypotheses seen with m
/// and s of each, 12 and 100 biomarkers: their medians reach 3.2 s, their standard deviations 0.055
/// s and 6.1 s, their values 13 s. None is doubted; all biomarkers in units a thousand times as
/// large or small are, and 98 % of those with the sign turned.
///
/// @param place where in the cohort each column of the model stands
/// @throws Error if there is no value at all
std::vector<std::string> doubts(const Cohort& cohort, const std::vector<std::size_t>& place,
                                const Columns& columns);

}  // namespace tempo::amortised
