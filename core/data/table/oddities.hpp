#pragma once

#include <string>
#include <vector>

#include "tempo/cohort.hpp"

namespace tempo {

// What a clinic's table seldom means: each function says what it found, a line each. Nothing is
// changed, for any of it may be meant.

/// A value that occurs again and again, or is made of nines, and is farther from all others than
/// these lie apart (-999); or a whole number below 0 where all others are not. With its count by
/// diagnosis.
std::vector<std::string> possible_codes(const Cohort& cohort);

/// Ids of participants that hold characters nobody sees, or read like a missing value.
std::vector<std::string> odd_ids(const Cohort& cohort);

/// Values that lie apart from all others or cannot be believed (gross_errors), whose participants
/// are named; that seem to have lost their sign, to be in two units, or to be filled in; a
/// biomarker of one value. Codes are no such values.
std::vector<std::string> odd_values(const Cohort& cohort);

/// Biomarkers whose healthy values are skewed, and much less so after taking logarithms.
std::vector<std::string> skewed_biomarkers(const Cohort& cohort);

/// Pairs of biomarkers that are equal throughout, or so but for a unit and an origin.
std::vector<std::string> same_biomarkers(const Cohort& cohort);

/// Biomarkers whose names differ as ids of same_participants do.
std::vector<std::string> same_names(const Cohort& cohort);

/// Participants whose ids differ by case, blanks, be they visible or not, signs between their parts
/// or leading zeros only; and those whose values are
/// equal throughout, where chance would hardly do that.
std::vector<std::string> same_participants(const Cohort& cohort);

}  // namespace tempo
