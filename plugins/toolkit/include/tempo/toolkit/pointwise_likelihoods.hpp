#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tempo/inference_method.hpp"

namespace tempo::toolkit {

/// The tail of a sample above a threshold, as a generalised Pareto distribution: P(x > t) = (1 + k
/// t / sigma)^(-1 / k).
struct ParetoTail {
  double k = 0.0;
  double sigma = 0.0;
};

/// Fits it by the mean of a posterior on a grid.
///
/// Source: Zhang & Stephens 2009, Technometrics 51(3), 316-325; k drawn towards 0.5 with the weight
/// of ten values as Vehtari, Simpson, Gelman, Yao & Gabry (Pareto smoothed importance sampling,
/// JMLR 25, 2024) do.
/// @param exceedances  ascending, > 0, at least five
ParetoTail fit_pareto_tail(std::span<const double> exceedances);

/// How well one participant is predicted from all others.
struct LeftOut {
  double log_score = 0.0;  ///< log p(x_j | all but x_j), nats
  double pareto_k = 0.0;   ///< of its importance weights; above 0.7 the score is not to be trusted
};

/// Leave-one-out by Pareto smoothed importance sampling: weights 1 / p(x_j | draw), the largest
/// replaced by the quantiles of a generalised Pareto distribution that is fitted to them.
///
/// Source: Vehtari, Gelman & Gabry 2017, Statistics and Computing 27, 1413-1432.
/// @param log_likelihoods  [S] log p(x_j | draw); without enough draws for a tail (fewer than 25),
/// or
///   where they are all alike, weights are used as they are.
LeftOut leave_out(std::span<const double> log_likelihoods);

/// The same from all states that count, where there are finitely many and draws return to them:
/// weighed by their likelihoods instead of by how often they were drawn.
///
///   log p(x_j | x_-j) = log sum_s L(s) - log sum_s L(s) / p(x_j | s)   over the distinct states s
///
/// Ties would take an importance sampler's weights for a heavy tail, and rare states are drawn too
/// seldom or not often enough to tell by frequency what they weigh.
struct StateLikelihoods {
  std::vector<double> log_likelihoods;  ///< [states] log L(s), of all participants; every state as
                                        ///< likely beforehand
  std::vector<std::size_t> drawn;       ///< [states] how often
  std::vector<std::size_t> chains;      ///< [states] by how many of several independent chains
  /// Draws of states that were drawn once, as a share: small where draws return to states. That
  /// nothing was missed cannot be concluded, since a chain that moves seldom returns to the little
  /// it has seen.
  double drawn_once() const;
};

/// Leave-one-out from states.
struct LeftOutOfStates {
  double log_score = 0.0;
  double on_rare =
      0.0;  ///< how likely, without the participant, are states that fewer than two chains found
};
/// @param log_likelihoods  [states] log p(x_j | s)
LeftOutOfStates leave_out(const StateLikelihoods& states, std::span<const double> log_likelihoods);

/// log p(x_j | draw) along several Markov chains, or parts of one, thinned as they get longer so
/// that memory is bounded.
class PointwiseLikelihoods {
 public:
  PointwiseLikelihoods(std::size_t chains, std::size_t participants);

  /// @param draw  counts from 1 in each chain, ascending
  /// @param log_likelihoods  [J]
  /// @param state  what the draw is of, where it is of one of finitely many states which are
  /// equally likely
  ///   beforehand
  void add(std::size_t chain, std::size_t draw, std::span<const double> log_likelihoods,
           std::optional<std::uint64_t> state = {});

  /// Fills in `Inference::evidence`; a warning if any score is not to be trusted. Nothing if fewer
  /// than two draws are left.
  ///
  /// Log scores are by leave_out: from states if at most a twentieth of the draws are of states
  /// that were drawn once, else from draws. Not to be trusted: k > 0.7 or, from states, more than a
  /// tenth of what is likely without the participant on states that fewer than two chains found.
  /// `elpd_mcse` is the standard error of the mean of the chains' own `elpd_waic`, widened by
  /// Student's t since a few chains hardly tell their spread. It is about the mean of chains, not
  /// the scores of all draws together, and does not count what all chains have missed; NaN of fewer
  /// than two chains.
  /// @param first  draws of a chain up to this are not used
  void report(std::size_t first, Inference& inference) const;

 private:
  struct Chain {
    std::size_t every = 1;  // every n-th call is kept
    std::size_t calls = 0;
    std::vector<std::size_t> draws;  // kept
    std::vector<std::optional<std::uint64_t>> states;
    std::vector<double> values;  // [kept, J]
  };
  /// Draws of all chains that count, and the states that they are of.
  struct Used {
    std::vector<const double*> rows;  // [draws] of [J]
    bool has_states = true;           // every draw has one; if not, what follows is not complete
    StateLikelihoods states;
    std::vector<const double*> state_rows;  // [states] of [J]: a draw of each
  };
  Used used_after(std::size_t first) const;
  /// `elpd_waic` of each chain by itself that has at least two draws.
  std::vector<double> waic_of_chains(std::size_t first) const;

  std::size_t J_;
  std::size_t capacity_;  // of a chain
  std::vector<Chain> chains_;
};

}  // namespace tempo::toolkit
