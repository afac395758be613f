#pragma once

#include "biomarker_values.hpp"
#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::toolkit {

/// What a fit with this fidelity takes of a cohort: all of it as published; as meant, all but gross
/// errors (gross_errors.hpp), which are missing then.
Cohort believed(const Cohort& cohort, Fidelity fidelity);

/// Whether a fit has seen values that cannot be believed.
enum class FarValues { used, left_out };
inline FarValues far_values_with(Fidelity fidelity) {
  return fidelity == Fidelity::paper ? FarValues::used : FarValues::left_out;
}

/// A sentence for each biomarker with values that cannot be believed, which names the participants.
void warn_of_far_values(const Cohort& cohort, FarValues far_values, Inference& inference);

/// A sentence for each biomarker with few different values, or one value in many participants, of
/// those whose groups can be compared.
void warn_of_few_values(const Cohort& cohort, Inference& inference);

/// Adds to the warnings of a fit what may make its order untrustworthy, whatever the method does
/// about it, a sentence for each biomarker:
///
/// - no separation: controls and diseased differ neither by the rank-sum test nor by Welch's,
/// two-sided
///   at 5 %, nor do more diseased than by chance lie beyond all controls;
/// - heavy ties, as warn_of_few_values;
/// - outliers, as warn_of_far_values.
///
/// Biomarkers whose groups cannot be compared have but the last of these: too few values, or one
/// value throughout. And that all participants are at one stage, where they are. Nothing depends on
/// units or on the order of rows.
void warn_of_doubtful_values(const Cohort& given, FarValues far_values, Inference& inference);

}  // namespace tempo::toolkit
