#include "tempo/toolkit/pointwise_likelihoods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <numeric>

#include "tempo/metrics.hpp"

namespace tempo::toolkit {
namespace {

constexpr double kHighK = 0.7;

/// Not toolkit::log_sum: scores of runs that are there keep their last bits.
double log_sum_exp(std::span<const double> values) {
  const double top = *std::max_element(values.begin(), values.end());
  double sum = 0.0;
  for (const double value : values) sum += std::exp(value - top);
  return top + std::log(sum);
}

/// log of the mean likelihood less the variance of its logarithm.
double waic_score(std::span<const double> log_likelihoods) {
  const double S = static_cast<double>(log_likelihoods.size());
  const double mean = std::accumulate(log_likelihoods.begin(), log_likelihoods.end(), 0.0) / S;
  double squares = 0.0;
  for (const double value : log_likelihoods) squares += (value - mean) * (value - mean);
  return log_sum_exp(log_likelihoods) - std::log(S) - squares / (S - 1.0);
}

/// Of the mean of independent values, so that twice it leaves out as little as for a normal
/// distribution whose spread is known. NaN for fewer than two.
double error_of_mean(std::span<const double> values) {
  if (values.size() < 2) return std::nan("");
  const double n = static_cast<double>(values.size()),
               p = boost::math::cdf(boost::math::normal(), 2.0);
  return sum_of_scores(values).standard_error / n *
         boost::math::quantile(boost::math::students_t(n - 1.0), p) / 2.0;
}

}  // namespace

ParetoTail fit_pareto_tail(std::span<const double> exceedances) {
  const std::size_t n = exceedances.size();
  const double count = static_cast<double>(n);
  const double quartile = exceedances[static_cast<std::size_t>(count / 4.0 + 0.5) - 1];
  const double largest = exceedances.back();
  const std::size_t points = 30 + static_cast<std::size_t>(std::sqrt(count));
  // theta = -k / sigma on a grid whose density follows the data.
  std::vector<double> thetas(points), logs(points);
  const auto k_at = [&](double theta) {
    double sum = 0.0;
    for (const double x : exceedances) sum += std::log1p(-theta * x);
    return sum / count;
  };
  const double mean = std::accumulate(exceedances.begin(), exceedances.end(), 0.0) / count;
  // Exponential where theta vanishes, as it does on the grid where exceedances are all alike.
  const auto sigma_at = [&](double theta, double k) { return k == 0.0 ? mean : -k / theta; };
  for (std::size_t i = 0; i < points; ++i) {
    const double part = static_cast<double>(points) / (static_cast<double>(i) + 0.5);
    thetas[i] = 1.0 / largest + (1.0 - std::sqrt(part)) / (3.0 * quartile);
    const double k = k_at(thetas[i]);
    logs[i] = count * (-std::log(sigma_at(thetas[i], k)) - k - 1.0);
  }
  const double all = log_sum_exp(logs);
  double theta = 0.0;
  for (std::size_t i = 0; i < points; ++i) theta += thetas[i] * std::exp(logs[i] - all);
  const double k = k_at(theta);
  constexpr double kPriorWeight = 10.0, kPriorK = 0.5;
  return {(count * k + kPriorWeight * kPriorK) / (count + kPriorWeight), sigma_at(theta, k)};
}

LeftOut leave_out(std::span<const double> log_likelihoods) {
  const std::size_t S = log_likelihoods.size();
  // Log weights, the largest 0, and the draws from the lightest to the heaviest.
  const double least = *std::min_element(log_likelihoods.begin(), log_likelihoods.end());
  std::vector<double> logs(S);
  for (std::size_t s = 0; s < S; ++s) logs[s] = least - log_likelihoods[s];
  std::vector<std::size_t> ascending(S);
  std::iota(ascending.begin(), ascending.end(), std::size_t{0});
  std::stable_sort(ascending.begin(), ascending.end(),
                   [&](std::size_t a, std::size_t b) { return logs[a] < logs[b]; });

  LeftOut out;
  const double count = static_cast<double>(S);
  const auto in_tail =
      static_cast<std::size_t>(std::ceil(std::min(0.2 * count, 3.0 * std::sqrt(count))));
  constexpr std::size_t kLeastTail = 5;
  constexpr double kLeastWeight = 1e-200;  // beside 1, the largest: reciprocals stay finite
  if (in_tail >= kLeastTail && in_tail < S) {
    const double cut = std::exp(logs[ascending[S - in_tail - 1]]);
    std::vector<double> exceedances;
    for (std::size_t i = S - in_tail; i < S; ++i)
      if (const double above = std::exp(logs[ascending[i]]) - cut; above > kLeastWeight)
        exceedances.push_back(above);
    const std::size_t n = exceedances.size();
    if (n >= kLeastTail) {
      const auto [k, sigma] = fit_pareto_tail(exceedances);
      out.pareto_k = k;
      for (std::size_t z = 0; z < n; ++z) {
        const double p = (static_cast<double>(z) + 0.5) / static_cast<double>(n);
        const double above =
            k == 0.0 ? -sigma * std::log1p(-p) : sigma * std::expm1(-k * std::log1p(-p)) / k;
        logs[ascending[S - n + z]] = std::min(std::log(cut + above), 0.0);
      }
    }
  }
  std::vector<double> weighted(S);
  for (std::size_t s = 0; s < S; ++s) weighted[s] = logs[s] + log_likelihoods[s];
  out.log_score = log_sum_exp(weighted) - log_sum_exp(logs);
  return out;
}

double StateLikelihoods::drawn_once() const {
  const auto once = static_cast<double>(std::count(drawn.begin(), drawn.end(), std::size_t{1}));
  return once / static_cast<double>(std::accumulate(drawn.begin(), drawn.end(), std::size_t{0}));
}

LeftOutOfStates leave_out(const StateLikelihoods& states, std::span<const double> log_likelihoods) {
  std::vector<double> without(states.log_likelihoods);
  std::vector<double> rare;
  for (std::size_t s = 0; s < without.size(); ++s) {
    without[s] -= log_likelihoods[s];
    if (states.chains[s] < 2) rare.push_back(without[s]);
  }
  const double all = log_sum_exp(without);
  return {log_sum_exp(states.log_likelihoods) - all,
          rare.empty() ? 0.0 : std::exp(log_sum_exp(rare) - all)};
}

PointwiseLikelihoods::PointwiseLikelihoods(std::size_t chains, std::size_t participants)
    : J_(participants), chains_(chains) {
  constexpr std::size_t kDraws = 1000, kLeastOfChain = 25;
  constexpr std::size_t kNumbers = 20'000'000;  // 160 MB
  capacity_ = std::max(kLeastOfChain,
                       std::min(2 * kDraws, kNumbers / std::max<std::size_t>(J_, 1)) / chains);
}

void PointwiseLikelihoods::add(std::size_t chain, std::size_t draw,
                               std::span<const double> log_likelihoods,
                               std::optional<std::uint64_t> state) {
  auto& kept = chains_[chain];
  if (kept.calls++ % kept.every != 0) return;
  if (kept.draws.size() == capacity_) {
    std::size_t to = 0;
    for (std::size_t from = 0; from < kept.draws.size(); from += 2, ++to) {
      kept.draws[to] = kept.draws[from];
      kept.states[to] = kept.states[from];
      std::copy_n(kept.values.begin() + static_cast<std::ptrdiff_t>(from * J_), J_,
                  kept.values.begin() + static_cast<std::ptrdiff_t>(to * J_));
    }
    kept.draws.resize(to);
    kept.states.resize(to);
    kept.values.resize(to * J_);
    kept.every *= 2;
    if ((kept.calls - 1) % kept.every != 0) return;
  }
  kept.draws.push_back(draw);
  kept.states.push_back(state);
  kept.values.insert(kept.values.end(), log_likelihoods.begin(), log_likelihoods.end());
}

PointwiseLikelihoods::Used PointwiseLikelihoods::used_after(std::size_t first) const {
  Used out;
  std::map<std::uint64_t, std::size_t> index_of;
  std::vector<const Chain*> found_by;  // of each state: the last chain
  for (const auto& chain : chains_)
    for (std::size_t i = 0; i < chain.draws.size(); ++i) {
      if (chain.draws[i] <= first) continue;
      const double* row = chain.values.data() + i * J_;
      out.rows.push_back(row);
      out.has_states = out.has_states && chain.states[i].has_value();
      if (!out.has_states) continue;
      const auto [found, is_new] = index_of.emplace(*chain.states[i], out.state_rows.size());
      if (is_new) {
        out.state_rows.push_back(row);
        out.states.log_likelihoods.push_back(std::accumulate(row, row + J_, 0.0));
        out.states.drawn.push_back(0);
        out.states.chains.push_back(0);
        found_by.push_back(nullptr);
      }
      const std::size_t s = found->second;
      ++out.states.drawn[s];
      out.states.chains[s] += found_by[s] != &chain;
      found_by[s] = &chain;
    }
  return out;
}

std::vector<double> PointwiseLikelihoods::waic_of_chains(std::size_t first) const {
  std::vector<double> out, column;
  for (const auto& chain : chains_) {
    const auto begin =
        std::upper_bound(chain.draws.begin(), chain.draws.end(), first) - chain.draws.begin();
    column.resize(chain.draws.size() - static_cast<std::size_t>(begin));
    if (column.size() < 2) continue;
    double sum = 0.0;
    for (std::size_t j = 0; j < J_; ++j) {
      for (std::size_t s = 0; s < column.size(); ++s)
        column[s] = chain.values[(static_cast<std::size_t>(begin) + s) * J_ + j];
      sum += waic_score(column);
    }
    out.push_back(sum);
  }
  return out;
}

void PointwiseLikelihoods::report(std::size_t first, Inference& inference) const {
  constexpr double kOnce = 0.05, kOnRare = 0.1;
  const auto [rows, has_states, states, state_rows] = used_after(first);
  if (rows.size() < 2) return;
  const bool from_states = has_states && states.drawn_once() <= kOnce;
  std::vector<double> scores(J_), waic(J_), column(rows.size()), of_states(state_rows.size());
  std::size_t doubtful = 0;
  for (std::size_t j = 0; j < J_; ++j) {
    for (std::size_t s = 0; s < rows.size(); ++s) column[s] = rows[s][j];
    waic[j] = waic_score(column);
    if (from_states) {
      for (std::size_t s = 0; s < state_rows.size(); ++s) of_states[s] = state_rows[s][j];
      const auto left_out = leave_out(states, of_states);
      scores[j] = left_out.log_score;
      doubtful += left_out.on_rare > kOnRare;
    } else {
      const auto left_out = leave_out(column);
      scores[j] = left_out.log_score;
      doubtful += left_out.pareto_k > kHighK;
    }
  }
  const auto loo = sum_of_scores(scores), of_waic = sum_of_scores(waic);
  // The distance between chains tells how far their mean may be off, whatever else they agree on.
  const double mcse = error_of_mean(waic_of_chains(first));
  inference.evidence =
      Evidence{.log_scores = std::move(scores),
               .elpd_loo = loo.sum,
               .elpd_loo_se = loo.standard_error,
               .elpd_waic = of_waic.sum,
               .elpd_waic_se = of_waic.standard_error,
               .elpd_mcse = mcse,
               .pareto_k_high = doubtful,
               .draws = rows.size(),
               .states = from_states ? std::optional(state_rows.size()) : std::nullopt};
  if (doubtful > 0)
    inference.warnings.push_back(from_states ? "the leave-one-out score of some participants is "
                                               "not to be trusted: of what is likely "
                                               "without them, too much was found by one chain alone"
                                             : "the leave-one-out score of some participants is "
                                               "not to be trusted (Pareto k > 0.7): they "
                                               "decide too much of the posterior");
}

}  // namespace tempo::toolkit
