#include "analysis/comparison.hpp"

#include <cmath>

namespace tempo {
namespace {

/// What the numbers of a ranking say of how far to trust it.
void add_caveats(const CohortRanking& ranking, ComparisonCaveats& out) {
  constexpr std::size_t kFew = 100;
  out.participants = ranking.participants;
  out.few_participants = ranking.participants < kFew;
  out.unsettled = ranking.unsettled;
  for (const auto& found : ranking.hypotheses) {
    if (found.tied && found.pareto_k_high > 0)
      out.untrusted.push_back({found.assumed, found.pareto_k_high});
    if (!std::isfinite(found.elpd_mcse))
      out.unknown.push_back(found.assumed);
    else if (found.elpd_mcse > kTiedNats)
      out.disagreeing.push_back({found.assumed, found.elpd_mcse});
  }
}

}  // namespace

Comparison compare_fits(const std::string& file, const Cohort& cohort,
                        const std::vector<ComparedFit>& fits, std::vector<std::string> not_ranked,
                        std::optional<Distributions> how) {
  Comparison out;
  std::vector<AssumedFit> assumed;
  for (const auto& [id, evidence, chains, checks] : fits) {
    assumed.push_back({id, evidence.log_scores, evidence.elpd_waic, evidence.pareto_k_high, checks,
                       evidence.elpd_mcse});
    if (chains && !chains->agreed()) out.ranking.unsettled.push_back(id);
    if (!evidence.clipped_biomarkers.empty()) out.caveats.clipped.push_back(id);
  }
  out.ranking.cohort = file;
  out.ranking.participants = cohort.participant_count();
  out.ranking.biomarkers = cohort.biomarker_count();
  out.ranking.hypotheses = rank_by_evidence(assumed);
  out.caveats.not_ranked = std::move(not_ranked);
  out.caveats.are_estimated = how == Distributions::estimated;
  add_caveats(out.ranking, out.caveats);
  return out;
}

}  // namespace tempo
