#include "analysis/counted_fits.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace tempo {
namespace {

std::optional<UncountedFit::Why> why_uncounted(const FittedCohort& cohort, const CohortFit& fit) {
  if (fit.is_asked_for) return std::nullopt;
  if (refutation_of(cohort, fit) != nullptr) return UncountedFit::Why::refuted;
  if (fit.training_warned) return UncountedFit::Why::training;
  return std::nullopt;
}

}  // namespace

const RefutedHypothesis* refutation_of(const FittedCohort& cohort, const CohortFit& fit) {
  const auto found = std::find_if(
      cohort.refuted.begin(), cohort.refuted.end(),
      [&](const RefutedHypothesis& refuted) { return refuted.hypothesis == fit.rests_on(); });
  return found == cohort.refuted.end() ? nullptr : &*found;
}

CountedFits counted_fits(const FittedCohort& cohort) {
  CountedFits out;
  for (std::size_t f = 0; f < cohort.fits.size(); ++f) {
    if (const auto why = why_uncounted(cohort, cohort.fits[f]))
      out.left_out.push_back({f, *why});
    else
      out.fits.push_back(f);
  }
  if (!out.fits.empty() || cohort.fits.empty()) return out;
  out.none_left = true;
  out.left_out.clear();
  out.fits.resize(cohort.fits.size());
  std::iota(out.fits.begin(), out.fits.end(), std::size_t{0});
  return out;
}

}  // namespace tempo
