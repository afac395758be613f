#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/random_stream.hpp"
#include "tempo/toolkit/subtype_answer.hpp"

namespace tempo::bayes {

/// The range of the dispersion of orders about their centre.
inline constexpr double kLeastDispersion = 0.01, kMostDispersion = 0.5;

/// What the orders of subtypes have in common: each is drawn independently from a Mallows law about
/// a centre, P(order) = exp(-T d) / Z(T) with d the number of pairs that are the other way round,
///
///   Z(T) = prod_{i=1..B} (1 - e^{-i T}) / (1 - e^{-T})
///
/// the centre any order, T on a grid of 64 between two ends. Both are drawn with everything else.
///
/// Source: Fligner & Verducci 1986, Journal of the Royal Statistical Society B 48(3), 359-369.
class OrderCentre {
 public:
  /// @param least, most  T; 0 < least < most
  OrderCentre(std::size_t biomarkers, double least, double most, RandomStream& stream);

  /// Adds log P of an order with the event at each place among the others, but for a constant: [B].
  void add_log_priors(std::span<const std::size_t> others, std::size_t event,
                      std::span<double> of_places) const;
  /// Draws the place of every event in the centre, one after the other, and T on a grid.
  void sweep(const toolkit::OrderSet& orders, RandomStream& stream);

  /// An order about the centre.
  std::vector<std::size_t> draw_order(RandomStream& stream) const;

  /// log P(orders | centre, T).
  double log_probability(const toolkit::OrderSet& orders) const;

  const std::vector<std::size_t>& centre() const { return centre_; }
  double dispersion() const { return dispersion_; }

 private:
  double value(std::size_t i) const;  // of the grid of T
  void set_places();
  void place(std::size_t event, const toolkit::OrderSet& orders, RandomStream& stream);
  double discordant_pairs(const toolkit::OrderSet& orders) const;
  void draw_dispersion(const toolkit::OrderSet& orders, RandomStream& stream);

  double least_, most_, dispersion_;
  std::vector<std::size_t> centre_, place_;  // [B] events; the place of each
};

}  // namespace tempo::bayes
