#include "analysis/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tempo/metrics.hpp"
#include "tempo/quantile.hpp"

namespace tempo {
namespace {

std::vector<std::vector<double>> scores_of(const FittedCohort& cohort) {
  std::vector<std::vector<double>> out;
  for (const auto& fit : cohort.fits) out.push_back(fit.event_scores);
  return out;
}

/// Biomarkers by ascending key; of equal ones by name.
std::vector<std::size_t> rows_by(const std::vector<Spread>& keys,
                                 const std::vector<std::string>& names) {
  std::vector<std::size_t> rows(names.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return keys[a].mean != keys[b].mean ? keys[a].mean < keys[b].mean : names[a] < names[b];
  });
  return rows;
}

/// Of each biomarker over lists of values [lists][B].
std::vector<Spread> spread_of_columns(const std::vector<std::vector<double>>& lists,
                                      std::size_t columns) {
  std::vector<Spread> out;
  for (std::size_t b = 0; b < columns; ++b) {
    std::vector<double> column;
    for (const auto& list : lists) column.push_back(list[b]);
    out.push_back(spread(column).value_or(Spread{}));
  }
  return out;
}

std::vector<std::optional<Within>> within_columns(const std::vector<std::vector<double>>& lists,
                                                  std::size_t columns) {
  std::vector<std::optional<Within>> out;
  for (std::size_t b = 0; b < columns; ++b) {
    std::vector<double> column;
    for (const auto& list : lists) column.push_back(list[b]);
    out.push_back(within(column));
  }
  return out;
}

Matrix mean_positions(const std::vector<std::vector<double>>& scores, std::size_t B) {
  Matrix out(B, B);
  for (const auto& list : scores) {
    const auto shares = shared_positions(list);
    for (std::size_t i = 0; i < shares.values().size(); ++i)
      out.values()[i] += shares.values()[i] / static_cast<double>(scores.size());
  }
  return out;
}

constexpr double kLow = 0.025, kHigh = 0.975;

}  // namespace

std::optional<Spread> spread(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  Spread out{values.size(), std::accumulate(values.begin(), values.end(), 0.0) / n, {}, {}};
  if (values.size() < 2) return out;
  double squares = 0.0;
  for (const auto value : values) squares += (value - out.mean) * (value - out.mean);
  out.sd = std::sqrt(squares / (n - 1.0));
  out.half_width =
      boost::math::quantile(boost::math::students_t(n - 1.0), kHigh) * *out.sd / std::sqrt(n);
  return out;
}

std::optional<Within> within(const std::vector<double>& values) {
  const auto found = spread(values);
  if (!found || !found->sd) return std::nullopt;
  if (values.size() < kIntervalReplicates) return Within{found->mean, *found->sd, 0.0, 0.0, false};
  auto sorted = values;
  std::sort(sorted.begin(), sorted.end());
  return Within{found->mean, *found->sd, quantile(sorted, kLow), quantile(sorted, kHigh)};
}

Within within_posterior(std::span<const double> probabilities, double first) {
  Within out;
  double square = 0.0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const double value = first + static_cast<double>(i);
    out.mean += probabilities[i] * value;
    square += probabilities[i] * value * value;
  }
  out.sd = std::sqrt(std::max(0.0, square - out.mean * out.mean));
  double below = 0.0;
  std::size_t low = 0;
  while (low + 1 < probabilities.size() && below + probabilities[low] <= kLow)
    below += probabilities[low++];
  double above = 0.0;
  std::size_t high = probabilities.size() - 1;
  while (high > low && above + probabilities[high] <= 1.0 - kHigh) above += probabilities[high--];
  out.low = first + static_cast<double>(low);
  out.high = first + static_cast<double>(high);
  return out;
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
  out.across = spread_of_columns(out.ranks, B);
  out.rows = rows_by(out.across, cohort.biomarkers);
  return out;
}

std::vector<PositionalVariance> positional_variance(const FittedCohort& cohort) {
  using Source = PositionalVariance::Source;
  const auto B = cohort.biomarkers.size();
  std::vector<PositionalVariance> out{
      {Source::fits, {}, cohort.fits.size(), mean_positions(scores_of(cohort), B)}};
  for (std::size_t f = 0; f < cohort.fits.size(); ++f) {
    const auto& fit = cohort.fits[f];
    if (fit.rank_posterior) out.push_back({Source::posterior, f, 0, *fit.rank_posterior});
    if (!fit.replicate_scores.empty())
      out.push_back({Source::replicates, f, fit.replicate_scores.size(),
                     mean_positions(fit.replicate_scores, B)});
  }
  return out;
}

ConsensusTable consensus_table(const FittedCohort& cohort) {
  const auto scores = scores_of(cohort);
  ConsensusTable out{
      borda_order(scores, cohort.biomarkers), kemeny_order(scores, cohort.biomarkers), {}};
  for (const auto& of_biomarker : rank_table(cohort).across)
    out.mean_ranks.push_back(of_biomarker.mean);
  return out;
}

std::vector<std::string> doubts_in_sentences(const CohortFit& fit) {
  std::vector<std::string> out;
  for (const auto& doubt : fit.doubts)
    out.push_back(fmt::format("{} is in doubt: {}", fit.name(), doubt));
  return out;
}

std::optional<bool> is_separating(const FittedCohort& cohort, std::size_t biomarker) {
  if (!cohort.not_separating) return std::nullopt;
  const auto& names = *cohort.not_separating;
  return std::find(names.begin(), names.end(), cohort.biomarkers[biomarker]) == names.end();
}

std::vector<double> rescaled(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  std::vector<double> out;
  for (const auto value : values)
    out.push_back(*high > *low ? (value - *low) / (*high - *low) : 0.5);
  return out;
}

RescaledTimeline timeline(const FittedCohort& cohort) {
  const auto B = cohort.biomarkers.size();
  RescaledTimeline out;
  LeftOut ranked{{}, "under their hypotheses events have ranks, and no times", true};
  LeftOut constant{{}, "they have all events at one time", true};
  LeftOut without{{}, "they give no times of events", false};
  std::vector<std::vector<double>> of_times;
  for (std::size_t f = 0; f < cohort.fits.size(); ++f) {
    const auto& fit = cohort.fits[f];
    if (!fit.event_times) {
      without.fits.push_back(f);
      continue;
    }
    if (fit.times_are_ranks && !fit.is_asked_for) {
      ranked.fits.push_back(f);
      continue;
    }
    const auto [first, last] =
        std::minmax_element(fit.event_times->begin(), fit.event_times->end());
    const double range = *last - *first;
    if (range == 0.0 && B > 1 && !fit.is_asked_for) {
      constant.fits.push_back(f);
      continue;
    }
    out.fits.push_back(f);
    out.times.push_back(rescaled(*fit.event_times));
    if (!fit.times_are_ranks) of_times.push_back(out.times.back());
    std::vector<std::vector<double>> replicates;
    for (const auto& times : fit.replicate_times) replicates.push_back(rescaled(times));
    out.replicates.push_back(within_columns(replicates, B));
    auto& posterior = out.posterior.emplace_back(B);
    for (std::size_t b = 0; fit.time_posterior && range > 0.0 && b < B; ++b) {
      const auto& [mean, sd, low, high, has_interval] = (*fit.time_posterior)[b];
      posterior[b] = {(mean - *first) / range, sd / range, (low - *first) / range,
                      (high - *first) / range, has_interval};
    }
  }
  for (auto* some : {&ranked, &constant, &without})
    if (!some->fits.empty()) out.left_out.push_back(std::move(*some));
  if (out.fits.empty()) return out;
  out.across_ranks = of_times.empty();
  out.across = spread_of_columns(out.across_ranks ? out.times : of_times, B);
  out.rows = rows_by(out.across, cohort.biomarkers);
  return out;
}

std::vector<GroupStages> group_stages(const FittedCohort& cohort) {
  const auto G = cohort.group_names.size(), B = cohort.biomarkers.size();
  std::vector<GroupStages> out;
  for (const auto& fit : cohort.fits) {
    std::vector<std::vector<double>> stages(G);
    auto& found = out.emplace_back();
    found.counts.assign(G, std::vector<std::size_t>(B + 1, 0));
    for (std::size_t j = 0; j < fit.stages.size(); ++j) {
      stages[cohort.groups[j]].push_back(fit.stages[j]);
      const auto rounded = std::clamp(std::nearbyint(fit.stages[j]), 0.0, static_cast<double>(B));
      ++found.counts[cohort.groups[j]][static_cast<std::size_t>(rounded)];
    }
    for (const auto& of_group : stages) found.groups.push_back(spread(of_group));
    std::optional<double> before;
    for (const auto& of_group : found.groups) {
      if (!cohort.groups_ordered || !of_group) continue;
      if (before) found.rises = found.rises.value_or(true) && of_group->mean > *before;
      before = of_group->mean;
    }
  }
  return out;
}

namespace {

std::vector<double> selected(const std::vector<double>& values,
                             const std::vector<std::size_t>& places) {
  std::vector<double> out;
  for (const auto place : places) out.push_back(values[place]);
  return out;
}

}  // namespace

std::vector<Agreement> agreement(const FittedCohort& cohort) {
  std::vector<std::size_t> diseased;
  for (std::size_t j = 0; j < cohort.participants.size(); ++j)
    if (cohort.diseased.empty() || cohort.diseased[j] != 0) diseased.push_back(j);
  std::vector<std::vector<double>> stages;
  for (const auto& fit : cohort.fits) stages.push_back(selected(fit.stages, diseased));
  std::vector<Agreement> out;
  for (std::size_t i = 0; i < cohort.fits.size(); ++i)
    for (std::size_t k = i + 1; k < cohort.fits.size(); ++k) {
      const auto &a = cohort.fits[i], &b = cohort.fits[k];
      out.push_back({i, k, kendall_tau(a.event_scores, b.event_scores),
                     spearman(stages[i], stages[k]), absolute_agreement(stages[i], stages[k])});
    }
  return out;
}

namespace {

/// Of the biomarkers of a cohort that are wanted, scores as found and places in the true order.
Recovery::Distance distance(const std::vector<double>& scores,
                            const std::vector<std::size_t>& true_ranks,
                            const std::vector<std::size_t>& wanted) {
  std::vector<double> of_wanted, truth;
  for (const auto b : wanted) {
    of_wanted.push_back(scores[b]);
    truth.push_back(static_cast<double>(true_ranks[b]));
  }
  const double tau = order_distance(of_wanted, truth);
  return {tau, share_of_orders_as_near(tau, wanted.size())};
}

}  // namespace

std::vector<Recovery> recovery(const FittedCohort& cohort) {
  const auto& known = *cohort.truth;
  const auto B = cohort.biomarkers.size();
  std::vector<std::size_t> true_ranks;
  std::vector<double> event_times;
  std::vector<std::size_t> all, separating;
  for (std::size_t b = 0; b < B; ++b) {
    const auto at =
        std::lower_bound(known.biomarkers.begin(), known.biomarkers.end(), cohort.biomarkers[b]);
    const auto place = static_cast<std::size_t>(at - known.biomarkers.begin());
    true_ranks.push_back(known.truth.event_ranks[place]);
    event_times.push_back(known.truth.event_times[place]);
    all.push_back(b);
    if (is_separating(cohort, b).value_or(true)) separating.push_back(b);
  }
  std::unordered_map<std::string_view, std::size_t> place_of;
  for (std::size_t i = 0; i < known.participants.size(); ++i)
    place_of.emplace(known.participants[i], i);
  std::vector<std::size_t> diseased;
  std::vector<int> true_stages, of_diseased;
  for (std::size_t j = 0; j < cohort.participants.size(); ++j) {
    const double stage = known.truth.stages[place_of.at(cohort.participants[j])];
    const bool is_diseased = cohort.diseased.empty() || cohort.diseased[j] != 0;
    true_stages.push_back(is_diseased ? event_count(event_times, stage) : 0);
    if (!is_diseased) continue;
    diseased.push_back(j);
    of_diseased.push_back(true_stages.back());
  }
  const auto add_distances = [&](const std::vector<double>& scores, Recovery& found) {
    found.all = distance(scores, true_ranks, all);
    if (separating.size() < B && separating.size() > 1)
      found.separating = distance(scores, true_ranks, separating);
  };
  const auto add_stages = [&](const std::vector<double>& stages, Recovery& found) {
    found.stage_mae = stage_mae(stages, true_stages, B);
    if (!diseased.empty())
      found.diseased_mae = stage_mae(selected(stages, diseased), of_diseased, B);
  };
  std::vector<Recovery> out;
  for (std::size_t f = 0; f < cohort.fits.size(); ++f) {
    auto& found = out.emplace_back();
    found.fit = f;
    add_distances(cohort.fits[f].event_scores, found);
    add_stages(cohort.fits[f].stages, found);
  }
  if (cohort.fits.size() > 1) {
    const auto ranks = ranks_of(consensus_table(cohort).kemeny.order);
    out.emplace_back().of = Recovery::Of::consensus;
    add_distances(std::vector<double>(ranks.begin(), ranks.end()), out.back());
  }
  if (!diseased.empty()) {
    auto sorted = of_diseased;
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> stages(cohort.participants.size(), 0.0);
    for (const auto j : diseased) stages[j] = sorted[sorted.size() / 2];
    out.emplace_back().of = Recovery::Of::median;
    add_stages(stages, out.back());
  }
  return out;
}

}  // namespace tempo
