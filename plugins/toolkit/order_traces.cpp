#include "tempo/toolkit/order_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

#include "tempo/toolkit/mcmc_diagnostics.hpp"

namespace tempo::toolkit {
namespace {

/// Every n-th column, n such that no more remain than a trace may have.
Matrix thinned(const Matrix& draws) {
  const std::size_t step = (draws.cols() + Inference::kTracePoints - 1) / Inference::kTracePoints;
  Matrix out(draws.rows(), (draws.cols() + step - 1) / step);
  for (std::size_t chain = 0; chain < out.rows(); ++chain)
    for (std::size_t i = 0; i < out.cols(); ++i) out(chain, i) = draws(chain, i * step);
  return out;
}

}  // namespace

OrderTraces::OrderTraces(std::size_t chains, std::size_t biomarkers, std::size_t burn_in,
                         Watched watched)
    : B_(biomarkers),
      burn_in_(burn_in),
      watched_(watched),
      traits_(chains),
      ranks_(chains),
      log_likelihoods_(chains) {}

void OrderTraces::add(std::size_t chain, std::span<const std::size_t> order, double log_likelihood,
                      std::span<const int> traits) {
  traits_[chain].insert(traits_[chain].end(), traits.begin(), traits.end());
  auto& ranks = ranks_[chain];
  ranks.resize(ranks.size() + B_);
  const auto row = std::span(ranks).last(B_);
  for (std::size_t i = 0; i < B_; ++i) row[order[i]] = static_cast<std::uint16_t>(i + 1);
  log_likelihoods_[chain].push_back(log_likelihood);
}

std::size_t OrderTraces::first_used() const { return std::max(burn_in_, length() / 2); }

Matrix OrderTraces::ranks_of(std::size_t b) const {
  const std::size_t from = first_used();
  Matrix out(chains(), length() - from);
  for (std::size_t chain = 0; chain < out.rows(); ++chain)
    for (std::size_t i = 0; i < out.cols(); ++i)
      out(chain, i) = static_cast<double>(ranks_[chain][(from + i) * B_ + b]);
  return out;
}

Matrix OrderTraces::log_likelihoods() const {
  const std::size_t from = first_used();
  Matrix out(chains(), length() - from);
  for (std::size_t chain = 0; chain < out.rows(); ++chain)
    std::copy_n(log_likelihoods_[chain].begin() + static_cast<std::ptrdiff_t>(from), out.cols(),
                out.row(chain).begin());
  return out;
}

Agreement OrderTraces::agreement() const {
  auto worst = of_ranks();
  if (watched_ == Watched::ranks) return worst;
  const auto likelihoods = log_likelihoods();
  worst.r_hat = std::max({worst.r_hat, split_r_hat(likelihoods), r_hat_of_traits()});
  worst.effective_samples = std::min(worst.effective_samples, effective_sample_size(likelihoods));
  return worst;
}

Agreement OrderTraces::of_ranks() const {
  Agreement worst{1.0, std::numeric_limits<double>::infinity()};
  for (std::size_t b = 0; b < B_; ++b) {
    const auto draws = ranks_of(b);
    worst.r_hat = std::max(worst.r_hat, split_r_hat(draws));
    worst.effective_samples = std::min(worst.effective_samples, effective_sample_size(draws));
  }
  return worst;
}

double OrderTraces::r_hat_of_traits() const {
  double worst = 1.0;
  if (traits_[0].empty()) return worst;
  const std::size_t from = first_used();
  Matrix is_it(chains(), length() - from);
  for (std::size_t b = 0; b < B_; ++b) {
    std::set<int> seen;
    for (const auto& of_chain : traits_)
      for (std::size_t i = from; i < length(); ++i) seen.insert(of_chain[i * B_ + b]);
    if (seen.size() < 2) continue;
    for (const int trait : seen) {
      for (std::size_t chain = 0; chain < chains(); ++chain)
        for (std::size_t i = from; i < length(); ++i)
          is_it(chain, i - from) = traits_[chain][i * B_ + b] == trait ? 1.0 : 0.0;
      // A trait seen in less than a hundredth of the draws tells nothing of agreement.
      constexpr double kSeldom = 0.01;
      const double count = std::accumulate(is_it.values().begin(), is_it.values().end(), 0.0);
      if (count < kSeldom * static_cast<double>(used())) continue;
      worst = std::max(worst, split_r_hat(is_it));
    }
  }
  return worst;
}

void OrderTraces::report(std::span<const std::size_t> columns, Inference& inference) const {
  const auto draws = static_cast<double>(used());
  inference.event_scores.assign(B_, 0.0);
  inference.rank_posterior = Matrix(B_, B_);
  for (std::size_t b = 0; b < B_; ++b) {
    const auto shares = inference.rank_posterior->row(columns[b]);
    double sum = 0.0;
    const auto ranks = ranks_of(b);
    for (const double rank : ranks.values()) {
      sum += rank;
      shares[static_cast<std::size_t>(rank) - 1] += 1.0 / draws;
    }
    inference.event_scores[columns[b]] = sum / draws;
  }
  const auto likelihoods = log_likelihoods();
  inference.log_likelihood_trace = thinned(likelihoods);

  const auto of_rank = of_ranks();
  const auto worst = agreement();
  inference.chains = ChainAgreement{
      .r_hat = of_rank.r_hat,
      .effective_samples = of_rank.effective_samples,
      .r_hat_log_likelihood = split_r_hat(likelihoods),
      .effective_samples_log_likelihood = effective_sample_size(likelihoods),
      .r_hat_traits = traits_[0].empty() ? std::nullopt : std::optional(r_hat_of_traits())};
  inference.diagnostics["chains"] = static_cast<double>(chains());
  inference.diagnostics["draws"] = draws;
  inference.diagnostics["log_likelihood"] =
      *std::max_element(likelihoods.values().begin(), likelihoods.values().end());
  const bool of_ranks_enough = of_rank.r_hat <= Agreement::kRHat;
  if (!(worst.r_hat <= Agreement::kRHat))
    inference.warnings.push_back(fmt::format(
        "the chains were stopped before they agreed on {} (R-hat > {}): do not trust the rank "
        "posterior in detail; more iterations may help",
        of_ranks_enough ? "the likelihood or what a biomarker is like" : "the rank of an event",
        Agreement::kRHat));
  else if (!worst.enough())
    inference.warnings.push_back(
        fmt::format("the chains agree, but were stopped with fewer than {} effective samples of "
                    "{}: more iterations make the rank posterior more precise",
                    Agreement::kEffectiveSamples,
                    of_rank.enough() ? "the log-likelihood" : "the rank of an event"));
}

}  // namespace tempo::toolkit
