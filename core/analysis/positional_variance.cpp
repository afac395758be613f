#include "analysis/positional_variance.hpp"

#include "analysis/consensus.hpp"
#include "analysis/counted_fits.hpp"

namespace tempo {
namespace {

Matrix mean_positions(const std::vector<std::vector<double>>& scores, std::size_t B) {
  Matrix out(B, B);
  for (const auto& list : scores) {
    const auto shares = shared_positions(list);
    for (std::size_t i = 0; i < shares.values().size(); ++i)
      out.values()[i] += shares.values()[i] / static_cast<double>(scores.size());
  }
  return out;
}

}  // namespace

std::vector<PositionalVariance> positional_variance(const FittedCohort& cohort) {
  using Source = PositionalVariance::Source;
  const auto B = cohort.biomarkers.size();
  const auto counted = counted_fits(cohort).fits;
  std::vector<PositionalVariance> out{
      {.source = Source::fits,
       .count = counted.size(),
       .shares = mean_positions(selected(scores_of(cohort), counted), B)}};
  for (std::size_t f = 0; f < cohort.fits.size(); ++f) {
    const auto& fit = cohort.fits[f];
    if (fit.rank_posterior)
      out.push_back({.source = Source::posterior, .fit = f, .shares = *fit.rank_posterior});
    if (fit.subtypes)
      for (std::size_t s = 0; s < fit.subtypes->rank_posteriors.size(); ++s)
        out.push_back({.source = Source::posterior,
                       .fit = f,
                       .subtype = s,
                       .shares = fit.subtypes->rank_posteriors[s]});
    if (!fit.replicate_scores.empty())
      out.push_back({.source = Source::replicates,
                     .fit = f,
                     .count = fit.replicate_scores.size(),
                     .shares = mean_positions(fit.replicate_scores, B)});
  }
  return out;
}

}  // namespace tempo
