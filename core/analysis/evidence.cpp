#include "analysis/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

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

namespace {

/// The best first. Who only asks which are tied has no use for stacking weights, which take many
/// rounds over all participants.
enum class Weights { wanted, left_out };
std::vector<RankedHypothesis> ranked(const std::vector<AssumedFit>& fits, Weights wanted) {
  const auto weights = wanted == Weights::wanted ? stacking_weights(fits)
                                                 : std::vector<double>(fits.size(), std::nan(""));
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

}  // namespace

std::vector<RankedHypothesis> rank_by_evidence(const std::vector<AssumedFit>& fits) {
  return ranked(fits, Weights::wanted);
}

std::vector<RefutedHypothesis> refuted_hypotheses(const std::vector<MethodEvidence>& methods) {
  std::vector<RefutedHypothesis> refuted;
  std::set<std::string> kept;
  for (const auto& [method, fits] : methods) {
    if (fits.size() < 2) continue;
    const auto by_evidence = ranked(fits, Weights::left_out);
    for (const auto& found : by_evidence) {
      const auto is_same = [&](const RefutedHypothesis& known) {
        return known.hypothesis == found.assumed;
      };
      if (found.tied)
        kept.insert(found.assumed);
      else if (std::none_of(refuted.begin(), refuted.end(), is_same))
        refuted.push_back({found.assumed, by_evidence.front().assumed, method, found.difference,
                           found.difference_se});
    }
  }
  std::erase_if(refuted,
                [&](const RefutedHypothesis& found) { return kept.contains(found.hypothesis); });
  return refuted;
}

bool can_refute(const std::string& method, const std::optional<RunDescription>& description) {
  if (!description) return true;
  const auto& methods = description->methods;
  return std::none_of(methods.begin(), methods.end(), [&](const RunDescription::Method& one) {
    return one.id == method && one.distributions && *one.distributions != Distributions::sampled;
  });
}

std::vector<FitEvidence> evidence_of_fits(Store& store) {
  std::vector<FitEvidence> out;
  store.visit([&](const StoredFit& fit) {
    out.push_back({fit.id(), {}, 0.0});
    auto details = fit.details({DetailPart::evidence});
    if (!details.evidence) return;
    out.back().log_scores = std::move(details.evidence->log_scores);
    out.back().elpd_mcse = details.evidence->elpd_mcse;
  });
  return out;
}

namespace {

/// What a column is called: the method, of a real cohort with the hypothesis that the fit rests on.
std::string column_of(const FitId& id) {
  const bool names_assumed = id.is_real() && !rests_on(id).empty();
  return names_assumed ? id.method + " under " + rests_on(id) : id.method;
}

/// Fits of cohorts that one hypothesis generated, at one point of a sweep.
using FitsByCohort = std::map<std::size_t, std::vector<AssumedFit>>;

/// Ranks the methods on each cohort on which all of them gave scores.
void fill(const std::vector<std::string>& methods, const FitsByCohort& cohorts,
          PreferenceTable::Row& row) {
  row.cells.resize(methods.size());
  for (const auto& [number, fits] : cohorts) {
    ++row.planned;
    if (fits.size() < methods.size()) continue;
    ++row.ranked;
    const auto ranked = rank_by_evidence(fits);
    for (const auto& hypothesis : ranked) {
      const auto at = std::find(methods.begin(), methods.end(), hypothesis.assumed);
      auto& cell = row.cells[static_cast<std::size_t>(at - methods.begin())];
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

/// The table of a point of the sweep, which is added if need be.
PreferenceTable& table_of(const std::vector<std::string>& axis_values,
                          std::vector<PreferenceTable>& tables) {
  for (auto& table : tables)
    if (table.axis_values == axis_values) return table;
  tables.push_back({axis_values, {}, {}});
  return tables.back();
}

/// Adds the fit's column and row to a table that lacks them.
void add_place(const std::string& method, const std::string& generating, PreferenceTable& table) {
  auto& [axis_values, methods, rows] = table;
  if (std::find(methods.begin(), methods.end(), method) == methods.end()) methods.push_back(method);
  if (std::none_of(rows.begin(), rows.end(),
                   [&](const PreferenceTable::Row& row) { return row.generating == generating; }))
    rows.push_back({generating, 0, 0, {}});
}

}  // namespace

std::vector<PreferenceTable> preference_tables(const std::vector<FitEvidence>& fits) {
  std::set<std::string> with_scores;
  for (const auto& fit : fits)
    if (!fit.log_scores.empty()) with_scores.insert(column_of(fit.id));
  std::vector<PreferenceTable> tables;
  std::map<std::pair<std::vector<std::string>, std::string>, FitsByCohort>
      cohorts;  // by point and generating hypothesis
  for (const auto& [id, log_scores, elpd_mcse] : fits) {
    const auto column = column_of(id), generating = generated_by(id);
    if (id.is_replicate() || !with_scores.contains(column)) continue;
    add_place(column, generating, table_of(id.axis_values, tables));
    auto& of_cohort = cohorts[{id.axis_values, generating}][id.cohort];
    if (!log_scores.empty()) of_cohort.push_back({column, log_scores, 0.0, 0, {}, elpd_mcse});
  }
  for (auto& table : tables)
    for (auto& row : table.rows)
      fill(table.methods, cohorts[{table.axis_values, row.generating}], row);
  return tables;
}

std::vector<PreferenceCount> preferences_over(const std::vector<CohortRanking>& rankings) {
  std::vector<PreferenceCount> out;
  for (const auto& ranking : rankings)
    for (const auto& found : ranking.hypotheses) {
      auto at = std::find_if(out.begin(), out.end(), [&](const PreferenceCount& known) {
        return known.assumed == found.assumed;
      });
      if (at == out.end()) at = out.insert(out.end(), {found.assumed, 0, 0, 0, 0.0});
      ++at->ranked;
      at->best += &found == &ranking.hypotheses.front();
      at->tied += found.tied;
      at->mean_difference += found.difference;
    }
  for (auto& count : out) count.mean_difference /= static_cast<double>(count.ranked);
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return a.best != b.best ? a.best > b.best : a.assumed < b.assumed;
  });
  return out;
}

KnownDistributions known_distributions(const std::vector<FitEvidence>& fits,
                                       const std::optional<RunDescription>& description) {
  KnownDistributions out;
  if (!description) return out;
  std::set<std::string> with_scores;
  for (const auto& fit : fits)
    if (fit.id.is_real() && !fit.log_scores.empty()) with_scores.insert(fit.id.method);
  for (const auto& method : description->methods)
    if (method.distributions == Distributions::known && with_scores.contains(method.id))
      out.methods.push_back(method.id);
  std::sort(out.methods.begin(), out.methods.end());
  for (const auto& hypothesis : description->hypotheses)
    if (hypothesis.measures_normals == false) out.mismatched.push_back(hypothesis.id);
  return out;
}

}  // namespace tempo
