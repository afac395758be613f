#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/random_stream.hpp"

namespace tempo::toolkit {

/// What is known beforehand of the shares of K subtypes:
///
///   w ~ Dirichlet(a, ..., a), a one of some whole numbers, each as likely
///
/// The larger a, the more alike the shares; with a = 1 all shares are equally likely.
class ShareLaw {
 public:
  /// @param concentrations  what a may be; not empty, each at least 1
  explicit ShareLaw(std::vector<std::size_t> concentrations = {1});

  /// Log shares as they are beforehand.
  std::vector<double> draw_log_shares(std::size_t subtypes, RandomStream& stream) const;
  /// A step of a Gibbs sampler: a given log shares [K], then log shares given a and the numbers of
  /// participants [K].
  std::vector<double> draw_log_shares(std::span<const double> log_shares,
                                      std::vector<double> participants, RandomStream& stream) const;

  /// Log density of shares from their logs [K], in nats.
  double log_density(std::span<const double> log_shares) const;

 private:
  std::vector<double> log_densities(std::span<const double> log_shares) const;  // by a

  std::vector<std::size_t> concentrations_;
};

}  // namespace tempo::toolkit
