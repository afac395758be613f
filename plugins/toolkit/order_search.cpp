#include "order_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mcmc_diagnostics.hpp"

namespace tempo::toolkit {
namespace {

double propose(OrderLikelihood& likelihood, Proposal proposal, RandomStream& stream) {
  const std::size_t B = likelihood.size();
  if (B == 1) return likelihood.propose_exchange(0, 0);
  if (proposal == Proposal::rearrange) {
    const std::size_t distance = 1 + stream.index(1 + stream.index(B - 1));
    const std::size_t a = stream.index(B - distance), b = a + distance;
    const std::size_t kind = stream.index(4);
    if (kind >= 2) return likelihood.propose_exchange(a, b);
    return kind == 0 ? likelihood.propose_move(a, b) : likelihood.propose_move(b, a);
  }
  const std::size_t a = stream.index(B);
  if (proposal == Proposal::exchange_any) return likelihood.propose_exchange(a, stream.index(B));
  const std::size_t b = stream.index(B - 1);
  return likelihood.propose_exchange(a, b < a ? b : b + 1);
}

bool metropolis_step(OrderLikelihood& likelihood, Proposal proposal, RandomStream& stream) {
  const double change = propose(likelihood, proposal, stream) - likelihood.value();
  const bool taken = std::exp(change) > stream.uniform();
  if (taken) likelihood.accept();
  return taken;
}

void keep_better(FoundOrder& best, const OrderLikelihood& likelihood) {
  if (likelihood.value() > best.log_likelihood) best = {likelihood.order(), likelihood.value()};
}

FoundOrder nothing_found() { return {{}, -std::numeric_limits<double>::infinity()}; }

/// Leaves the last order as the current one: the best, as no step goes down.
void climb(OrderLikelihood& likelihood, Proposal proposal, bool climb_ties, long orders,
           RandomStream& stream) {
  likelihood.set_order(stream.permutation(likelihood.size()));
  for (long i = 1; i < orders; ++i) {
    const double change = propose(likelihood, proposal, stream) - likelihood.value();
    // A loss that the exponential rounds away counts as a tie in the published program.
    if (change > 0.0 || (climb_ties && std::exp(change) >= 1.0)) likelihood.accept();
  }
}

FoundOrder best_of_ascents(OrderLikelihood& likelihood, Proposal proposal, bool climb_ties,
                           long starts, long orders, RandomStream& stream) {
  auto best = nothing_found();
  for (long start = 0; start < starts; ++start) {
    climb(likelihood, proposal, climb_ties, orders, stream);
    keep_better(best, likelihood);
  }
  return best;
}

}  // namespace

PublishedSearch search_as_published(OrderLikelihood& likelihood,
                                    const PublishedSearchSettings& settings, RandomStream& stream) {
  PublishedSearch found;
  found.climbed = best_of_ascents(likelihood, settings.proposal, settings.climb_ties,
                                  settings.starts, settings.start_iterations, stream);
  likelihood.set_order(found.climbed.order);
  found.most_likely = {likelihood.order(), likelihood.value()};
  long taken = 0;
  for (long i = 1; i < settings.iterations; ++i) {
    if (!metropolis_step(likelihood, settings.proposal, stream)) continue;
    ++taken;
    keep_better(found.most_likely, likelihood);
  }
  found.acceptance = static_cast<double>(taken) / static_cast<double>(settings.iterations);
  return found;
}

OrderSample sample_orders(OrderLikelihood& likelihood, const SamplingSettings& settings,
                          RandomStream& stream) {
  const std::size_t B = likelihood.size();
  OrderSample sample;
  sample.rank_posterior = Matrix(B, B);
  sample.most_likely = nothing_found();
  const auto chains = static_cast<std::size_t>(settings.chains);
  const auto per_chain = static_cast<std::size_t>(
      (settings.iterations - settings.burn_in - 1) / settings.thinning + 1);
  std::vector<Matrix> traces(B, Matrix(chains, per_chain));  // ranks
  long taken = 0, kept = 0;
  for (long chain = 0; chain < settings.chains; ++chain) {
    const auto start = best_of_ascents(likelihood, Proposal::rearrange, false, settings.starts,
                                       settings.start_iterations, stream);
    likelihood.set_order(start.order);
    for (long i = 0; i < settings.iterations; ++i) {
      if (i > 0) taken += metropolis_step(likelihood, Proposal::rearrange, stream);
      keep_better(sample.most_likely, likelihood);
      if (i < settings.burn_in || (i - settings.burn_in) % settings.thinning != 0) continue;
      const auto draw = static_cast<std::size_t>((i - settings.burn_in) / settings.thinning);
      ++kept;
      for (std::size_t rank = 0; rank < B; ++rank) {
        const std::size_t b = likelihood.order()[rank];
        sample.rank_posterior(b, rank) += 1.0;
        traces[b](static_cast<std::size_t>(chain), draw) = static_cast<double>(rank + 1);
      }
    }
  }
  sample.acceptance =
      static_cast<double>(taken) / static_cast<double>(settings.chains * settings.iterations);
  sample.effective_samples = static_cast<double>(kept);
  for (std::size_t b = 0; b < B; ++b) {
    double mean = 0.0;
    for (std::size_t rank = 0; rank < B; ++rank) {
      mean += sample.rank_posterior(b, rank) * static_cast<double>(rank + 1);
      sample.rank_posterior(b, rank) /= static_cast<double>(kept);
    }
    sample.mean_ranks.push_back(mean / static_cast<double>(kept));
    sample.r_hat = std::max(sample.r_hat, split_r_hat(traces[b]));
    sample.effective_samples =
        std::min(sample.effective_samples, effective_sample_size(traces[b]));
  }
  return sample;
}

}  // namespace tempo::toolkit
