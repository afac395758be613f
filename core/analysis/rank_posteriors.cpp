#include "analysis/rank_posteriors.hpp"

#include <set>
#include <tuple>
#include <utility>

#include "analysis/doubts.hpp"
#include "analysis/summary.hpp"

namespace tempo {

std::vector<RankPosterior> first_rank_posteriors(Store& store) {
  std::vector<RankPosterior> out;
  const auto models = store.models();
  std::set<std::tuple<std::vector<std::string>, std::string, std::string, std::string>> seen;
  store.visit([&](const StoredFit& fit) {
    const auto& id = fit.id();
    if (fit.result().status != FitStatus::ok || id.is_real() || !is_in_distribution(id)) return;
    if (!seen.emplace(id.axis_values, id.hypothesis, id.method, id.trained_on).second) return;
    auto details = fit.details({DetailPart::names, DetailPart::rank_posterior, DetailPart::chains});
    if (!details.rank_posterior || details.biomarkers.empty()) return;
    auto doubts = doubts_of_model(fit, models);
    if (auto doubt = doubt_of_chains(details.chains)) doubts.push_back(std::move(*doubt));
    out.push_back({id, std::move(doubts), std::move(details.biomarkers),
                   std::move(details.true_ranks), std::move(*details.rank_posterior)});
  });
  return out;
}

}  // namespace tempo
