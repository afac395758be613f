#include "analysis/rank_table.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/counted_fits.hpp"

namespace tempo {
namespace {

std::vector<double> distances_to(const Sequence& order,
                                 const std::vector<std::vector<double>>& rankings) {
  const auto ranks = ranks_of(order);
  const std::vector<double> places(ranks.begin(), ranks.end());
  std::vector<double> out;
  for (const auto& ranking : rankings) out.push_back(order_distance(places, ranking));
  return out;
}

}  // namespace

std::vector<std::size_t> rows_by_mean(const std::vector<Spread>& means,
                                      const std::vector<std::string>& names) {
  std::vector<std::size_t> rows(names.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return means[a].mean != means[b].mean ? means[a].mean < means[b].mean : names[a] < names[b];
  });
  return rows;
}

RankTable rank_table(const FittedCohort& cohort) {
  const auto B = cohort.biomarkers.size();
  RankTable out;
  for (const auto& fit : cohort.fits) {
    out.ranks.push_back(shared_ranks(fit.event_scores));
    auto& posterior = out.posterior.emplace_back(B);
    for (std::size_t b = 0; fit.rank_posterior && b < B; ++b)
      posterior[b] = within_posterior(fit.rank_posterior->row(b), 1.0);
    std::vector<std::vector<double>> replicates;
    for (const auto& scores : fit.replicate_scores) replicates.push_back(shared_ranks(scores));
    out.replicates.push_back(within_columns(replicates, B));
  }
  out.across = spread_of_columns(selected(out.ranks, counted_fits(cohort).fits), B);
  out.rows = rows_by_mean(out.across, cohort.biomarkers);
  return out;
}

ConsensusTable consensus_table(const FittedCohort& cohort) {
  const auto all = scores_of(cohort);
  const auto scores = selected(all, counted_fits(cohort).fits);
  ConsensusTable out{
      borda_order(scores, cohort.biomarkers), kemeny_order(scores, cohort.biomarkers), {}, {}, {}};
  out.borda_distances = distances_to(out.borda.order, all);
  out.kemeny_distances = distances_to(out.kemeny.order, all);
  for (const auto& of_biomarker : rank_table(cohort).across)
    out.mean_ranks.push_back(of_biomarker.mean);
  return out;
}

}  // namespace tempo
