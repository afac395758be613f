#pragma once

#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::toolkit {

/// Adds to the warnings of a fit what may make its order untrustworthy, whatever the method does
/// about it, a sentence for each biomarker:
///
/// - no separation: controls and diseased differ neither by the rank-sum test nor by Welch's,
/// two-sided
///   at 5 %, nor do more diseased than by chance lie beyond all controls;
/// - heavy ties: at most five different values, or one value in more than three of ten
/// participants;
/// - outliers: controls more than ten robust standard deviations (1.48 times the median absolute
///   deviation) from their median; the same of diseased if they are at most 2 % of them, since a
///   larger share may be those whose event has happened.
///
/// Without diagnosis, values of at most 2 % of the participants so far from the median of all.
/// Biomarkers whose groups cannot be compared are skipped: too few values, or one value throughout.
/// And that all participants are at one stage, where they are. Nothing depends on units or on the
/// order of rows.
void warn_of_doubtful_values(const Cohort& cohort, Inference& inference);

}  // namespace tempo::toolkit
