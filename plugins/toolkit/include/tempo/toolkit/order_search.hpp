#pragma once

#include <cstddef>
#include <vector>

#include "order_likelihood.hpp"
#include "order_sampler.hpp"
#include "order_traces.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::toolkit {

/// How the next order is proposed. All are symmetric: q(S' | S) = q(S | S').
enum class Proposal {
  exchange_any,      ///< of two positions drawn one by one; where they coincide nothing changes
  exchange_distinct  ///< of two different positions
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

/// Independent chains of `OrderSampler` sweeps, as long as it takes for them to agree. Each starts
/// from a random order and is annealed: at first all orders are nearly equally likely, and step by
/// step the likelihood counts in full. Chains that disagree after some hundred sweeps go on
/// tempered.
struct SamplingSettings {
  long chains = 4;
  long starts = 1;             ///< annealed starts per chain, of which the likeliest is continued
  long start_iterations = 25;  ///< sweeps of one annealing
  /// Sweeps of a chain after that, at most. A draw of a tempered chain counts as five.
  long iterations = 3000;
  long burn_in = 10;  ///< of these not used; of a longer chain its first half is not, either
  long thinning = 1;  ///< of the rest every n-th is kept
};

struct OrderSample {
  OrderTraces traces;
  double acceptance = 0.0;  ///< share of placements and segment moves that changed the order
  long sweeps = 0;          ///< of one chain
  bool tempered = false;
};

/// The temperature of sweep i of n that anneal a random order: from a tenth of the number of
/// participants down to 1 for i >= n.
double annealing_temperature(long i, long n, std::size_t participants);

/// From the posterior of the sampler's evidence and stage weights.
/// @throws ShapeError if fewer than four draws of a chain would be used.
OrderSample sample_orders(const OrderSampler& sampler, const SamplingSettings& settings,
                          RandomStream& stream);

}  // namespace tempo::toolkit
