#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/matrix.hpp"

namespace tempo::toolkit {

/// How well an order of events agrees with all participants, every stage 0..B equally likely:
///
///   log L(S) = sum_j log( floor + 1/(B + 1) sum_{k=0..B} prod_{i < k} y_jS(i) prod_{i >= k}
///   n_jS(i) )
///
/// with y_jb and n_jb the densities of participant j's value of biomarker b (or anything
/// proportional to both) after and before its event.
/// Source: Fonteijn et al. 2012, NeuroImage 60(3), 1880-1889, the likelihood of the event-based
/// model.
///
/// Plain products: the caller sees to it that they stay within the range of double where that
/// matters. A participant below the floor, or for whom all products underflow, is skipped.
///
/// Holds a current order, and for each k the sums that the events before and from k on contribute,
/// so that a rearrangement of positions p..q costs O(J (q - p)). Taking it over costs nothing at
/// once: the sums are renewed as far as later proposals need them, O(J B) at most. Products run
/// over a fixed number of lanes, without fused multiply-add, and end in one logarithm: the same
/// bits on any CPU on which libm's has the same.
class OrderLikelihood {
 public:
  /// @param y, n  [J, B], no NaN: a missing cell is 1 and 1.
  OrderLikelihood(const Matrix& y, const Matrix& n, double floor);

  std::size_t size() const { return B_; }  ///< B
  const std::vector<std::size_t>& order() const { return order_; }
  double value() const { return value_; }  ///< log L of the current order

  void set_order(std::span<const std::size_t> order);
  /// log L with the events at two positions exchanged; the current order stays.
  double propose_exchange(std::size_t a, std::size_t b);
  /// Makes the last proposal the current order.
  void accept();

 private:
  void withdraw_proposal();
  double evaluate_proposal();

  std::size_t B_, blocks_;
  double floor_;
  double unused_;                 // what lanes without a participant add to log L
  std::vector<double> cells_;     // [blocks, B]      {y, n} per lane
  std::vector<double> forward_;   // [blocks, B + 1]  {P, F}: products of y; sums over stages <= k
  std::vector<double> backward_;  // [blocks, B + 1]  {Q, H}: products of n; sums over stages > k
  std::vector<std::size_t> order_, proposed_;
  std::size_t forward_to_ = 0, backward_to_ = 0;  // the sums up to and from here are the order's
  std::size_t first_ = 0, last_ = 0;              // positions that the proposal may change
  double value_ = 0.0, proposed_value_ = 0.0;
};

}  // namespace tempo::toolkit
