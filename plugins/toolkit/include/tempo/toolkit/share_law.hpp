#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/random_stream.hpp"

namespace tempo::toolkit {

/// What is known beforehand of the shares w of K subtypes:
///
///   w ~ Dirichlet(a, ..., a),  p(w | a) = Gamma(K a) / Gamma(a)^K prod_s w_s^(a - 1)
///
/// with a one of some whole numbers, each equally likely. The larger a, the more alike the shares;
/// with a = 1 all shares are equally likely. Source: Gelman et al. 2013, Bayesian Data Analysis
/// (3rd edition), appendix A.
class ShareLaw {
 public:
  /// @param concentrations  what a may be, each at least 1. They are whole so that log Gamma is a
  ///   sum of logarithms, and so the same on every CPU.
  /// @throws NumericError if there is none, or one is 0
  explicit ShareLaw(std::vector<std::size_t> concentrations = {1});

  /// Log shares [K] as they are beforehand.
  std::vector<double> draw_log_shares(std::size_t subtypes, RandomStream& stream) const;
  /// A step of a Gibbs sampler: draws a given log shares [K], then log shares [K] given a and the
  /// numbers of participants [K].
  std::vector<double> draw_log_shares(std::span<const double> log_shares,
                                      std::vector<double> participants, RandomStream& stream) const;

  /// log p(w), in nats, from log shares [K].
  double log_density(std::span<const double> log_shares) const;

 private:
  std::vector<double> log_densities(std::span<const double> log_shares) const;  // by a

  std::vector<std::size_t> concentrations_;
};

}  // namespace tempo::toolkit
