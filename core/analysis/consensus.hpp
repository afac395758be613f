#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tempo/matrix.hpp"
#include "tempo/order.hpp"

namespace tempo {

/// Places 1..B of ascending scores [B]; equal scores share the mean of their places.
std::vector<double> shared_ranks(std::span<const double> scores);

/// [B, B] which share of each place a biomarker takes: row b holds 1 at its place; biomarkers with
/// equal scores share their places equally. Rows sum to 1.
Matrix shared_positions(std::span<const double> scores);

/// (1 - tau_a) / 2 of two rankings [B]: the share of pairs that they order differently, a pair that
/// either has as equal counting half. 0 for fewer than two.
double order_distance(std::span<const double> a, std::span<const double> b);

/// Kendall's tau-b of two rankings [B]; absent where one has all equal.
/// Source: Kendall 1945, Biometrika 33(3), 239-251.
std::optional<double> kendall_tau(std::span<const double> a, std::span<const double> b);

/// Pearson's correlation of shared ranks; absent where one side is constant.
std::optional<double> spearman(std::span<const double> a, std::span<const double> b);

/// Absolute agreement of two raters of the same participants, ICC(A,1); absent where nothing varies
/// or for fewer than two.
/// Source: McGraw & Wong 1996, Psychological Methods 1(1), 30-46, case 2A.
std::optional<double> absolute_agreement(std::span<const double> a, std::span<const double> b);

/// One order for several rankings.
struct Consensus {
  Sequence order;
  std::vector<double> distances;  ///< order_distance to each ranking
  double mean_distance = 0.0;
  bool exact =
      true;  ///< no order has a smaller mean distance (of a Kemeny order), or none was sought
};

/// By mean rank; of equal ones the first by name.
/// @param rankings  at least one, [B] each: scores or ranks, smaller = earlier
/// @param names     [B]
Consensus borda_order(const std::vector<std::vector<double>>& rankings,
                      const std::vector<std::string>& names);

/// The order with the smallest mean distance to the rankings (Kemeny's), exact up to
/// kExactBiomarkers: of several the one whose last biomarker is the latest in Borda's order, then
/// whose last but one is, and so on. Beyond that an order of which no single biomarker can be moved
/// for the better, searched from Borda's.
Consensus kemeny_order(const std::vector<std::vector<double>>& rankings,
                       const std::vector<std::string>& names);
constexpr std::size_t kExactBiomarkers = 16;  ///< 2^B sets are gone through

}  // namespace tempo
