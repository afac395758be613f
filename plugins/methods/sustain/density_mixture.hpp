#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tempo/matrix.hpp"
#include "tempo/toolkit/published_event_model.hpp"
#include "tempo/toolkit/stage_likelihood.hpp"
#include "tempo/toolkit/subtype_answer.hpp"

namespace tempo::sustain {

using toolkit::CellDensities;
using toolkit::OrderSet;

/// The published likelihood of several orders, every stage 0..B equally likely:
///
///   log L = sum_j log( 1e-250 + sum_s f_s T_js ),
///   T_js  = 1 / (B + 1) sum_{k=0..B} prod_{i < k} y_jS(i) prod_{i >= k} n_jS(i)
///
/// with y and n the densities of a cell after and before its event, and S the order of subtype s.
/// Plain products, as published: they may underflow. Vectorised over participants; the same bits on
/// every CPU. Not thread-safe (scratch).
///
/// Source: Young et al. 2018, Nature Communications 9, 4273.
class DensityMixture {
 public:
  /// @param rows  the participants that count
  DensityMixture(const CellDensities& densities, std::span<const std::size_t> rows);

  std::size_t participants() const { return y_.participants(); }
  std::size_t biomarkers() const { return y_.biomarkers(); }

  /// T_js of one order: out [padded].
  void weigh(std::span<const std::size_t> order, std::vector<double>& out) const;
  /// @param terms   [K][padded] T_js
  /// @param shares  [K] f_s
  double log_likelihood(std::span<const std::vector<double>> terms,
                        std::span<const double> shares) const;
  /// P(s | x_j) [J, K]; the shares where no order has a likelihood that is a positive number.
  Matrix responsibilities(std::span<const std::vector<double>> terms,
                          std::span<const double> shares) const;

  /// Takes sum_t f_t T_jt over the other subtypes t, and the floor.
  void set_others(std::span<const std::vector<double>> terms, std::span<const double> shares,
                  std::size_t subtype);
  /// log L of an event at each place 0..B-1 among the others of one subtype's order. O(J B).
  /// @param others  [B - 1] the order without the event
  std::span<const double> places(std::span<const std::size_t> others, std::size_t event,
                                 double share);

 private:
  toolkit::ParticipantColumns y_, n_;
  std::vector<double> floor_;  // [padded] 1e-250 of participants, 1 of padding
  std::vector<double> rest_;   // [padded]
  std::vector<double> scratch_, mantissas_, places_;
  std::vector<std::uint64_t> exponents_;
};

/// P(subtype, stage | x_j): [K] matrices [J, B + 1], that sum to 1 together in each row. Where
/// nothing is possible it is as beforehand.
std::vector<Matrix> subtype_and_stage(const CellDensities& densities, const OrderSet& orders,
                                      std::span<const double> shares);

}  // namespace tempo::sustain
