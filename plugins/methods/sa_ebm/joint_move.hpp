#pragma once

#include <vector>

#include "components.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::sa_ebm {

/// Moves an event together with its two distributions, so that neither holds the other back.
///
/// Given how many of the *other* events have happened in each diseased participant, k'_j, and the
/// probabilities pi of stages 1..B, event b at place p (p others before it) has happened where
/// k'_j > p, has not where k'_j < p, and may have where k'_j = p. The place is proposed with
/// weights in which both distributions are integrated out over the first two groups (the marginal
/// likelihood of the normal-inverse-gamma prior) and the third is a mixture of the posterior point
/// estimates; then the distributions are drawn from their posteriors given the first two groups,
/// and the whole is accepted by the third group's exact likelihood over the one in the weights: an
/// independence Metropolis step. Last, whether b has happened is drawn in the third group.
///
/// Source of the marginal likelihood: Gelman et al. 2013, Bayesian Data Analysis (3rd edition),
/// section 3.3; the move is ours.
class JointMove {
 public:
  JointMove(const Study& study);

  /// One step for event b. `order`, `components.phi`, `components.theta` and `stages` [n padded]
  /// are the chain's; log ratios are not renewed.
  /// @return whether it was taken
  bool operator()(std::size_t b, const std::vector<double>& log_pi, std::vector<std::size_t>& order,
                  Components& components, std::vector<double>& stages, RandomStream& stream);

 private:
  struct Place {
    ConjugatePosterior phi, theta;
    Normal phi_point, theta_point;
    double weight;    // logarithm
    double boundary;  // the third group's part of it
  };

  double marginal(const Normal& prior, const Moments& data,
                  const ConjugatePosterior& posterior) const;
  double boundary(std::size_t b, std::size_t place, const std::vector<double>& log_pi,
                  const Normal& phi, const Normal& theta) const;

  const Study* study_;
  std::vector<double> log_gamma_;             // log Gamma((n + 1) / 2), n = 0..J
  std::vector<std::size_t> others_;           // [n] k'
  std::vector<std::vector<std::size_t>> at_;  // [B] participants with k' = p
};

}  // namespace tempo::sa_ebm
