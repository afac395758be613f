#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tempo/cohort.hpp"

namespace tempo {

// What a clinic's table seldom means: each function says what it found, a line each. Nothing is
// changed, for any of it may be meant.

/// A value that occurs again and again, or is a usual code, and is farther from all others than
/// these lie apart (-999), perhaps together with more of its kind (95 to 98); a whole number below
/// 0, or a zero that occurs again, far from all others. With its count by diagnosis.
/// @param advice  what to do about a code, a sentence
std::vector<std::string> possible_codes(const Cohort& cohort, std::string_view advice);

/// What a table's description does about a code, and whoever writes a long CSV.
inline constexpr std::string_view kMarkersTakeCodes = "'missing_markers' takes it",
                                  kCodesAreLeftEmpty = "leave such cells empty";

/// Ids of participants that hold characters nobody sees, or read like a missing value.
std::vector<std::string> odd_ids(const Cohort& cohort);

/// Values that lie apart from all others or cannot be believed (gross_errors), whose participants
/// are named; that seem to have lost their sign, to be in two units or on two scales, or to be
/// filled in; a biomarker of one value. Codes are no such values.
std::vector<std::string> odd_values(const Cohort& cohort);

/// Rows that have two biomarkers or more, though not all, of rows that stand as far above.
std::vector<std::string> pasted_rows(const Cohort& cohort);

/// Biomarkers whose healthy values are skewed, and much less so after taking logarithms.
std::vector<std::string> skewed_biomarkers(const Cohort& cohort);

/// Pairs of biomarkers that are equal where both are measured, or so but for a unit and an origin,
/// few values, digits that were rounded away, or a transformation.
std::vector<std::string> same_biomarkers(const Cohort& cohort);

/// Biomarkers whose names differ as ids of same_participants do.
std::vector<std::string> same_names(const Cohort& cohort);

/// Participants whose ids differ by case, blanks, be they visible or not, signs between their parts
/// or leading zeros only; those whose values are equal throughout, where chance would hardly do
/// that; and ids that end in a visit or a copy, so that participants have several.
std::vector<std::string> same_participants(const Cohort& cohort);

}  // namespace tempo
