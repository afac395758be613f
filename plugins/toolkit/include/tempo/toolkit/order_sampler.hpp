#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stage_likelihood.hpp"
#include "tempo/matrix.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::toolkit {

/// What the evidence of one participant may add up to, in nats: e^-650 is well above the smallest
/// double.
inline constexpr double kMostEvidence = 1300.0;

/// Bounds |r| of one participant's log ratios by the largest c for which sum_b |r_b| <=
/// kMostEvidence. NaN becomes 0. With 12 biomarkers c is at least 108, odds of 1e47 to 1.
void bound_evidence(std::span<double> log_ratios);

/// A Markov chain over orders of B events whose stationary distribution is their posterior (every
/// order equally likely beforehand), the stages of J participants summed out:
///
///   log L(S) = sum_j log( sum_{k=0..B} w_k prod_{i < k} y_jS(i) prod_{i >= k} n_jS(i) )
///
/// with any stage weights w, and a participant's evidence on an event given by its log ratio r_jb =
/// log p(x_jb | after) - log p(x_jb | before), 0 where missing: y = min(1, e^r), n = min(1, e^-r),
/// so that no unit counts. r is bounded as in `bound_evidence`: a participant's best stage then has
/// a product above e^-650 in every order, and nothing that matters underflows.
///
/// Source of the model: Fonteijn et al. 2012, NeuroImage 60(3), 1880-1889. The conditional of one
/// event's place by sums from both sides is ours; so are the moves of segments.
///
/// O(J B) per call, vectorised over participants; the same bits on every CPU. Not thread-safe.
class OrderSampler {
 public:
  OrderSampler(std::size_t participants, std::size_t biomarkers);

  std::size_t size() const { return B_; }          ///< B
  std::size_t participants() const { return J_; }  ///< J

  /// @param log_ratios  [J, B], NaN where missing
  void set_evidence(const Matrix& log_ratios);
  /// The same by columns, none NaN. `value()` is that of the old evidence until `refresh()`.
  void set_evidence(const ParticipantColumns& log_ratios);
  /// Of one event, none NaN: as they are, without a bound on what a participant's add up to, which
  /// the caller keeps below kMostEvidence. `value()` is that of the old evidence until `refresh()`.
  void set_evidence(std::size_t b, std::span<const double> log_ratios);
  /// @param log_weights  [B + 1] of stages 0..B; -inf excludes a stage, at least one is finite.
  void set_stage_weights(std::span<const double> log_weights);
  void set_order(std::span<const std::size_t> order);
  /// Evaluates the order under evidence and weights that have changed.
  void refresh();

  const std::vector<std::size_t>& order() const { return order_; }
  /// log L of the order as above but with e^r for y and 1 for n: relative to the likelihood of no
  /// event at all.
  double value() const { return value_; }

  /// Draws every participant's stage given the order: out [J padded to whole blocks], 0..B.
  void draw_stages(RandomStream& stream, std::span<double> out);

  /// log L of every place p = 0..B-1 of event b among the others, [B]; the order stays.
  std::span<const double> places(std::size_t b);
  /// Draws the place of event b from its conditional distribution: a Gibbs step.
  /// @param temperature  the target is L^(1 / temperature)
  /// @return whether the order has changed
  bool place(std::size_t b, RandomStream& stream, double temperature = 1.0);
  /// A Metropolis step that exchanges two neighbouring runs of events or reverses one run.
  /// @return whether it was taken
  bool move_segment(RandomStream& stream, double temperature = 1.0);
  /// Every event placed once, in random order, and as many segments moved as B has digits in base
  /// two.
  void sweep(RandomStream& stream, double temperature = 1.0);

  /// Of the segment moves and placements counted, the share that changed the order.
  double acceptance() const;
  /// Begins to count anew, where a chain's burn-in or annealing ends.
  void forget_steps() { steps_ = changes_ = 0; }

 private:
  double evaluate(const std::vector<std::size_t>& order);
  double constant() const;  // log L less the logarithm of the product over all lanes

  std::size_t J_, B_, blocks_;
  std::vector<double> cells_;    // [blocks, B] {y, n} per lane
  std::vector<double> weights_;  // [B + 1], the largest 1
  double log_largest_ = 0.0;     // logarithm of the largest as given
  double log_sum_ = 0.0;         // of weights_, what a lane without a participant adds
  std::vector<std::size_t> order_, others_, proposed_;
  double value_ = 0.0;
  std::vector<double> offsets_;    // [B] sums over participants of max(0, r)
  std::vector<double> places_;     // [B]
  std::vector<double> mantissas_;  // [B] lanes
  std::vector<std::uint64_t> exponents_;
  std::vector<double> behind_;  // [B] {Q, H} of one block
  long steps_ = 0, changes_ = 0;
};

}  // namespace tempo::toolkit
