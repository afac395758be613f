#pragma once

#include <cstddef>
#include <vector>

#include "order_likelihood.hpp"
#include "tempo/matrix.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::toolkit {

/// How the next order is proposed. All are symmetric: q(S' | S) = q(S | S').
enum class Proposal {
  exchange_any,       ///< of two positions drawn one by one; where they coincide nothing changes
  exchange_distinct,  ///< of two different positions
  /// An exchange or, as often, a move of one event to another position, over distance d with chance
  /// 1/(B - 1) sum_{m = d..B-1} 1/m: near ones are likelier taken.
  rearrange
};

struct FoundOrder {
  std::vector<std::size_t> order;
  double log_likelihood = 0.0;
};

// ------------------------------------------------------------------- as published

/// Ascents from random orders, then one Metropolis chain from the best of them; the answer is the
/// best order on the chain. Source: Fonteijn et al. 2012, NeuroImage 60(3), 1880-1889.
struct PublishedSearchSettings {
  Proposal proposal = Proposal::exchange_distinct;
  bool climb_ties = false;       ///< an ascent also moves to an order that is just as likely
  long starts = 25;              ///< ascents
  long start_iterations = 1000;  ///< orders of an ascent, the first included
  long iterations = 10000;       ///< orders of the chain, the first included
};

struct PublishedSearch {
  FoundOrder climbed;       ///< best of all ascents, the first of equals
  FoundOrder most_likely;   ///< best on the chain, the first of equals
  double acceptance = 0.0;  ///< share of the chain's proposals taken; one that changes nothing is
};

PublishedSearch search_as_published(OrderLikelihood& likelihood,
                                    const PublishedSearchSettings& settings, RandomStream& stream);

// ------------------------------------------------------------------- as meant

/// Independent Metropolis chains, each from the best of its own ascents.
struct SamplingSettings {
  long chains = 4;
  long starts = 5;               ///< ascents per chain
  long start_iterations = 1000;  ///< orders of an ascent, the first included
  long iterations = 10000;       ///< orders of a chain, the first and the burn-in included
  long burn_in = 2500;           ///< orders dropped from the start of a chain
  long thinning = 5;             ///< of the rest every so manieth is kept
};

struct OrderSample {
  Matrix rank_posterior;           ///< [B, B] share of kept orders in which b has rank r + 1
  std::vector<double> mean_ranks;  ///< [B] 1 = first
  FoundOrder most_likely;          ///< of all orders visited by the chains
  double acceptance = 0.0;         ///< of all chains' proposals
  double r_hat = 1.0;              ///< largest of the biomarkers' ranks
  double effective_samples = 0.0;  ///< least of the biomarkers' ranks
};

OrderSample sample_orders(OrderLikelihood& likelihood, const SamplingSettings& settings,
                          RandomStream& stream);

}  // namespace tempo::toolkit
