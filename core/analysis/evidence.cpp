#include "analysis/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "study/experiment.hpp"  // kRealCohort
#include "tempo/metrics.hpp"

namespace tempo {
std::vector<double> stacking_weights(const std::vector<AssumedFit>& fits) {
  const std::size_t H = fits.size(), J = fits.front().log_scores.size();
  std::vector<std::vector<double>> densities(J, std::vector<double>(H));  // largest of each j: 1
  for (std::size_t j = 0; j < J; ++j) {
    double top = fits[0].log_scores[j];
    for (const auto& fit : fits) top = std::max(top, fit.log_scores[j]);
    for (std::size_t h = 0; h < H; ++h) densities[j][h] = std::exp(fits[h].log_scores[j] - top);
  }
  std::vector<double> weights(H, 1.0 / static_cast<double>(H)), next(H);
  constexpr int kRounds = 20'000;
  constexpr double kSettled = 1e-9;
  for (int round = 0; round < kRounds; ++round) {
    std::fill(next.begin(), next.end(), 0.0);
    for (const auto& density : densities) {
      const double sum = std::inner_product(weights.begin(), weights.end(), density.begin(), 0.0);
      for (std::size_t h = 0; h < H; ++h)
        next[h] += weights[h] * density[h] / (sum * static_cast<double>(J));
    }
    double moved = 0.0;
    for (std::size_t h = 0; h < H; ++h) moved = std::max(moved, std::abs(next[h] - weights[h]));
    weights.swap(next);
    if (moved < kSettled) break;
  }
  return weights;
}

std::vector<RankedHypothesis> rank_by_evidence(const std::vector<AssumedFit>& fits) {
  const auto weights = stacking_weights(fits);
  std::vector<ScoreSum> elpd;
  for (const auto& fit : fits) elpd.push_back(sum_of_scores(fit.log_scores));
  std::vector<std::size_t> order(fits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return elpd[a].sum > elpd[b].sum; });
  const auto& best = fits[order[0]].log_scores;
  std::vector<RankedHypothesis> out;
  for (const std::size_t h : order) {
    const auto& fit = fits[h];
    auto differences = fit.log_scores;
    for (std::size_t j = 0; j < best.size(); ++j) differences[j] -= best[j];
    const auto [difference, paired_se] = sum_of_scores(differences);
    const double mcse = h == order[0] ? 0.0 : std::hypot(fit.elpd_mcse, fits[order[0]].elpd_mcse);
    const double difference_se = std::hypot(paired_se, mcse);
    const bool tied =
        !std::isfinite(mcse) || -difference <= std::max(kTiedWithin * difference_se, kTiedNats);
    out.push_back({fit.assumed, elpd[h].sum, elpd[h].standard_error, difference, difference_se,
                   fit.elpd_mcse, fit.elpd_waic, fit.pareto_k_high, weights[h], tied, fit.checks});
  }
  return out;
}

namespace {

/// What a column is called: the method, of a real cohort with the hypothesis that it took for true.
std::string column_of(const ResultRow& row) {
  const bool names_assumed = row.hypothesis == kRealCohort && !row.trained_on.empty();
  return names_assumed ? row.method + " under " + row.trained_on : row.method;
}

}  // namespace

std::vector<PreferenceTable> preference_tables(const std::vector<FitEvidence>& fits) {
  std::set<std::string> with_scores;
  for (const auto& fit : fits)
    if (!fit.log_scores.empty()) with_scores.insert(column_of(fit.row));
  std::vector<PreferenceTable> tables;
  std::map<std::pair<std::vector<std::string>, std::string>,
           std::map<std::size_t, std::vector<AssumedFit>>>
      cohorts;  // by point and generating hypothesis
  for (const auto& fit : fits) {
    const bool is_replicate = fit.row.hypothesis == kRealCohort && fit.row.cohort > 0;
    const auto column = column_of(fit.row);
    if (is_replicate || !with_scores.contains(column)) continue;
    auto table = std::find_if(tables.begin(), tables.end(), [&](const PreferenceTable& known) {
      return known.axis_values == fit.row.axis_values;
    });
    if (table == tables.end()) {
      tables.push_back({fit.row.axis_values, {}, {}});
      table = std::prev(tables.end());
    }
    if (std::find(table->methods.begin(), table->methods.end(), column) == table->methods.end())
      table->methods.push_back(column);
    if (std::none_of(table->rows.begin(), table->rows.end(), [&](const PreferenceTable::Row& row) {
          return row.generating == fit.row.hypothesis;
        }))
      table->rows.push_back({fit.row.hypothesis, 0, 0, {}});
    auto& of_cohort = cohorts[{fit.row.axis_values, fit.row.hypothesis}][fit.row.cohort];
    if (!fit.log_scores.empty())
      of_cohort.push_back({column, fit.log_scores, 0.0, 0, {}, fit.elpd_mcse});
  }
  for (auto& table : tables)
    for (auto& row : table.rows) {
      row.cells.resize(table.methods.size());
      for (const auto& [number, of_cohort] : cohorts[{table.axis_values, row.generating}]) {
        ++row.planned;
        if (of_cohort.size() < table.methods.size()) continue;
        ++row.ranked;
        const auto ranked = rank_by_evidence(of_cohort);
        for (const auto& hypothesis : ranked) {
          const auto at = std::find(table.methods.begin(), table.methods.end(), hypothesis.assumed);
          auto& cell = row.cells[static_cast<std::size_t>(at - table.methods.begin())];
          cell.preferred += &hypothesis == &ranked.front();
          cell.tied += hypothesis.tied;
          cell.mean_difference += hypothesis.difference;
          cell.difference_se = std::hypot(cell.difference_se, hypothesis.difference_se);
        }
      }
      for (auto& cell : row.cells)
        if (row.ranked > 0) {
          cell.mean_difference /= static_cast<double>(row.ranked);
          cell.difference_se /= static_cast<double>(row.ranked);
        }
    }
  return tables;
}

}  // namespace tempo
