#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tempo/matrix.hpp"

namespace tempo::toolkit {

// The weighted Mallows cost of an order of events, given P(event b has happened in participant j)
// in p [J, B], NaN where missing. `order` is a sequence of biomarkers, earliest event first.
//
// A participant's own order is by descending p. Building `order` from it by moving events forward,
// and paying for each event overtaken the difference of the two probabilities, costs
//
//   D_j(order) = sum over pairs, a before b in `order`, of max(0, p_jb - p_ja)
//
// where pairs with a missing event are left out. The cost of an order is the mean of D_j.
// Source: the central ordering of Venkatraghavan et al. 2019, NeuroImage 186, 518-532; the closed
// form is ours (the test has the literal procedure).

double mallows_cost(const Matrix& p, std::span<const std::size_t> order);

/// How much less `order` costs once the neighbours at `position` and `position` + 1, events a and
/// b, are exchanged: (1/J) sum_j (p_jb - p_ja) over participants with both.
double adjacent_gain(const Matrix& p, std::span<const std::size_t> order, std::size_t position);

/// Exchanges the neighbours with the largest gain (the first of equals) if that is positive.
/// @return whether it did.
bool apply_best_adjacent_swap(const Matrix& p, std::span<std::size_t> order);

/// Mean of each column, missing values left out; the same bits for any order of rows.
std::vector<double> column_means(const Matrix& p);

/// Indices of `keys` ascending; equal keys by `ties`, ascending, and then by index.
std::vector<std::size_t> order_by(std::span<const double> keys, std::span<const std::size_t> ties);

}  // namespace tempo::toolkit
